import Testing

@testable import JSONCodec

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Member names as keys")
struct MemberNameTests {
    private enum Size: String, Codable, CaseIterable { case small, large }
    private enum Level: Int, Codable { case low = 1, high }
    private struct Pair: Codable, Hashable { var x: Int }

    /// Passes its decoder on, as property wrappers do.
    private struct Wrapped: Decodable {
        init(from decoder: any Decoder) throws { _ = try Size(from: decoder) }
    }
    private struct Text: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Wrapped.self)
        }
    }
    private struct Rejecting: Decodable {
        struct Never: Error {}
        init(from decoder: any Decoder) throws { throw Never() }
    }
    /// Accepts an object, or else a number.
    private struct Either: Decodable {
        init(from decoder: any Decoder) throws {
            if (try? Pair(from: decoder)) == nil { _ = try Int(from: decoder) }
        }
    }

    @Test("a key type that decodes a scalar is a member name")
    func scalars() {
        let types: [any Decodable.Type] = [
            String.self, Bool.self, Int8.self, UInt128.self, Float.self, Date.self, URL.self,
            UUID.self, Data.self, Decimal.self, Size.self, Level.self, Wrapped.self, Text.self,
        ]
        for type in types {
            let isName = MemberName.isName(type)
            #expect(isName, "\(type)")
        }
    }

    @Test("a key type that is optional or composite isn't a member name")
    func parts() {
        let types: [any Decodable.Type] = [
            Int?.self, [Int].self, [String: Int].self, Set<Int>.self, JSON.self, Pair.self,
            Rejecting.self, Either.self, Never.self,
        ]
        for type in types {
            let isName = MemberName.isName(type)
            #expect(!isName, "\(type)")
        }
    }

    @Test(
        "an integer key has exactly one name",
        arguments: ["01", "+1", "-0", "1.0", "1e0", " 1", "", "x", "\u{661}"]
    )
    func integerNames(text: String) {
        #expect(
            failure([Int: Int].self, "{\"\(text)\":1}")
                == "/\(text): the member's name: expected an integer"
        )
    }

    @Test("keys of scalar types are encoded and decoded as member names")
    func keys() throws {
        #expect(try encode([Size.small: 1, .large: 2]) == #"{"large":2,"small":1}"#)
        #expect(try decode([Size: Int].self, #"{"small":1}"#) == [.small: 1])
        #expect(try decode([Int: Int].self, #"{"\u0037":1,"-8":2}"#) == [7: 1, -8: 2])
        #expect(try encode([Level.high: true]) == #"{"2":true}"#)
        #expect(try decode([Level: Bool].self, #"{"2":true}"#) == [.high: true])
        #expect(try encode([Int8(-3): 1]) == #"{"-3":1}"#)
        let uuid = UUID()
        #expect(try encode([uuid: 1]) == "{\"\(uuid)\":1}")
        #expect(try decode([UUID: Int].self, "{\"\(uuid)\":1}") == [uuid: 1])
        #expect(try encode([Size: Int]()) == "{}")
        #expect(failure([Size: Int].self, #"["small",1]"#) == "expected an object")
        #expect(
            failure([Size: Int].self, #"{"huge":1}"#)
                == #"/huge: the member's name: unknown value "huge": expected one of small, large"#
        )
        #expect(failure([UUID: Int].self, #"{"x":1}"#) == "/x: the member's name: expected a UUID")
        // A key with members can't be a name.
        #expect(try decode([Pair: Int].self, #"[{"key":{"x":1},"value":2}]"#) == [Pair(x: 1): 2])
        #expect(try encode([Pair: Int]()) == "[]")
    }
}
