import Glibc
import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Decoding")
struct TapeDecoderTests {
    struct Like: Codable, Equatable {
        var id: Int
        var user: String?
    }

    enum Key: CodingKey { case a }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(Int)
        case point
    }

    @Test("fills a type's members, whatever their order and whatever else is there")
    func members() throws {
        #expect(try decode(Like.self, #"{"id":42,"user":"ada"}"#) == Like(id: 42, user: "ada"))
        #expect(try decode(Like.self, #"{"x":[{}],"user":null,"id":42}"#) == Like(id: 42))
        #expect(try decode(Like.self, #"{"\u0069d":1e1}"#) == Like(id: 10))
        #expect(try decode([Like].self, #"[{"id":1},{"id":2}]"#).map(\.id) == [1, 2])
    }

    @Test("reads every scalar")
    func scalars() throws {
        #expect(try decode(Bool.self, "true"))
        #expect(try decode(String.self, #""a\n""#) == "a\n")
        #expect(try decode(Int8.self, "-128") == -128)
        #expect(try decode(Int16.self, "-32768") == .min)
        #expect(try decode(Int32.self, "2147483647") == .max)
        #expect(try decode(Int64.self, "-9223372036854775808") == .min)
        #expect(try decode(UInt.self, "18446744073709551615") == .max)
        #expect(try decode(UInt8.self, "255") == 255)
        #expect(try decode(UInt16.self, "65535") == .max)
        #expect(try decode(UInt32.self, "4294967295") == .max)
        #expect(try decode(UInt64.self, "1.8446744073709551615e19") == .max)
        #expect(try decode(Int128.self, "-\(Int128.max)") == -Int128.max)
        #expect(try decode(UInt128.self, "\(UInt128.max)") == .max)
        #expect(try decode(Float.self, "0.1") == 0.1)
        #expect(try decode(Double.self, "-1e-2") == -0.01)
        #expect(try decode(Int?.self, "null") == nil)
        #expect(try decode([Int?].self, "[1,null]") == [1, nil])
        #expect(try decode([String: [Bool]].self, #"{"a":[true,false]}"#) == ["a": [true, false]])
        #expect(try decode([Int: String].self, #"{"7":"x"}"#) == [7: "x"])
        #expect(
            try decode([Shape].self, #"[{"circle":{"radius":1}},{"point":{}}]"#) == [
                .circle(radius: 1), .point,
            ]
        )
    }

    @Test(
        "a date that can't be written in UTC in the years 1 to 9999 isn't read",
        arguments: [
            "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.9999999999Z", "9999-12-31T23:59:60Z",
            "0001-01-01T00:00:00+00:01", "0000-12-31T23:59:59Z",
        ]
    )
    func datesBeyond(text: String) {
        #expect(failure([Date].self, "[\"\(text)\"]")?.hasPrefix("/0: expected a date") == true)
    }

    @Test(
        "the first and the last date that are read are written",
        arguments: [
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("0001-01-01T00:01:00+00:01", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T00:00:59-23:59", "9999-12-31T23:59:59Z"),
            // RFC 3339 §5.8: 1990's leap second, in UTC and in California.
            ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"),
            ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
        ]
    )
    func datesAtTheEnds(text: String, written: String) throws {
        let date = try decode(Date.self, "\"\(text)\"")
        let again = try encode([date]).dropFirst(2).dropLast(2)
        // A fraction is as near as a binary number is.
        #expect(again.prefix(20) == written.prefix(20))
        #expect(try decode(Date.self, "\"\(again)\"") == date)
    }

    /// Tries one form after the other, as types with several do.
    private enum Form: Decodable, Equatable {
        case object(Int), list(Int), text(String), other

        private enum Key: CodingKey { case count }

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Key.self),
                let count = try? members.decode(Int.self, forKey: .count)
            {
                self = .object(count)
            } else if let list = try? decoder.unkeyedContainer() {
                self = .list(list.count ?? 0)
            } else if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }

    /// The processor time of this thread, in seconds, that a list of so many values takes.
    private func cost(_ count: Int) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let name = String(repeating: "n", count: count)
        let text = "{\"\(name)\":[" + repeatElement("7", count: count).joined(separator: ",") + "]}"
        let start = now()
        let forms = try decode([String: [Form]].self, text)
        let cost = now() - start
        #expect(forms[name]?.count == count)
        #expect(forms[name]?.allSatisfy { $0 == .other } == true)
        return cost
    }

    @Test("a long list of values of several forms takes time with its length, not with its square")
    func longList() throws {
        // Each fails to be some of the forms. Eight times as many take 8 times as long, not 64.
        let (few, many) = (try cost(4_000), try cost(32_000))
        #expect(many < few * 24)
    }

    @Test("an error has its location, after many that were caught")
    func placeAfterMany() throws {
        struct Mixed: Decodable {
            struct Last: Decodable { var count: Int }
            var forms: [Form]
            var last: [Last]
        }
        let forms = #"[7,{"count":[{}]},"a",[1,[2]],{"count":1}]"#
        #expect(
            failure(Mixed.self, #"{"last":[{"count":1},{"count":"x"}],"forms":\#(forms)}"#)
                == "/last/1/count: expected an integer"
        )
        #expect(
            failure(Mixed.self, #"{"forms":\#(forms),"last":[{"count":1},{}]}"#)
                == "/last/1/count: missing"
        )
    }

    @Test("reads dates with and without a fraction, URLs, UUIDs, data and decimals")
    func foundation() throws {
        let second = Date(timeIntervalSince1970: 1_769_860_800)
        #expect(try decode(Date.self, #""2026-01-31T12:00:00Z""#) == second)
        #expect(try decode(Date.self, #""2026-01-31T14:00:00+02:00""#) == second)
        #expect(try decode(Date.self, #""2026-01-31T12:00:00.25Z""#) == second + 0.25)
        #expect(try decode(Date.self, #""1969-12-31T23:59:59Z""#).timeIntervalSince1970 == -1)
        #expect(try decode(URL.self, #""https://eleven-labs.com/""#).host() == "eleven-labs.com")
        let uuid = UUID()
        #expect(try decode(UUID.self, "\"\(uuid)\"") == uuid)
        #expect(try decode(Data.self, #""AQID""#) == Data([1, 2, 3]))
        #expect(
            try decode(Decimal.self, "12345678901234567890.12")
                == Decimal(string: "12345678901234567890.12")
        )
        #expect(
            failure(Date.self, #""2026-02-30T12:00:00Z""#)?.hasPrefix("expected a date") == true
        )
        #expect(failure(Date.self, "0") == "expected a string")
        #expect(failure(URL.self, #""""#) == "expected a URL")
        #expect(failure([UUID].self, #"["x"]"#) == "/0: expected a UUID")
        #expect(failure(Data.self, #""*""#) == "expected base64")
        #expect(failure(Decimal.self, #""1""#) == "expected a number")
    }

    @Test("decodes a big object as fast, member for member, as a small one")
    func bigObject() throws {
        // Were it quadratic, a hundred thousand names would take ten thousand million comparisons.
        let members = (0..<100_000).map { "\"\\u006b\($0)\":\($0)" }.joined(separator: ",")
        let decoded = try decode([String: Int].self, "{\(members)}")
        #expect(decoded.count == 100_000)
        #expect(decoded["k77777"] == 77_777)
        #expect(try json("{\(members)}")["k99999"]?.int == 99_999)
    }

    @Test("keeps unknown members through decoding and encoding")
    func unknownMembers() throws {
        struct User: Codable {
            var all: JSON
            init(from decoder: any Decoder) throws { all = try JSON(from: decoder) }
            func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
        }
        let text = #"{"age":1.10,"name":"ada","tags":[{"x":null}]}"#
        #expect(try encode(decode(User.self, text)) == text)
        #expect(try encode(decode([String: JSON].self, text)) == text)
    }

    @Test("gives code of its own every kind of container")
    func containers() throws {
        struct Odd: Decodable {
            enum Key: String, CodingKey { case list, inner, absent, `super` }
            var parts: [String] = []

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Key.self)
                parts.append(members.allKeys.map(\.rawValue).joined(separator: " "))
                parts.append("\(members.contains(.inner)) \(members.contains(.absent))")
                parts.append("\(try members.decodeNil(forKey: .inner))")
                var list = try members.nestedUnkeyedContainer(forKey: .list)
                parts.append("\(list.count ?? 0) \(list.currentIndex) \(list.isAtEnd)")
                parts.append("\(try list.decodeNil()) \(try list.decodeNil())")
                #expect(throws: DecodingError.self) { _ = try list.decode(String.self) }
                parts.append("\(try list.decode(UInt8.self)) \(try list.decode(Bool.self))")
                parts.append(try list.decode(String.self))
                var inner = try list.nestedUnkeyedContainer()
                parts.append("\(try inner.decode(Double.self)) \(try inner.decode(Float.self))")
                let object = try list.nestedContainer(keyedBy: Key.self)
                parts.append("\(try object.decodeIfPresent(Int.self, forKey: .list) ?? 0)")
                parts.append("\(try Int(from: list.superDecoder()))")
                parts.append("\(list.isAtEnd) \(list.codingPath.count)")
                #expect(throws: DecodingError.self) { _ = try list.decode(Int.self) }
                let nested = try members.nestedContainer(keyedBy: Key.self, forKey: .inner)
                parts.append("\(nested.allKeys.isEmpty) \(nested.codingPath[0].stringValue)")
                parts.append(try String(from: members.superDecoder()))
                parts.append(try String(from: members.superDecoder(forKey: .super)))
            }
        }
        let text =
            #"{"list":[null,7,true,"s",[1.5,2.5],{"list":3},9],"other":1,"inner":{},"super":"p"}"#
        #expect(
            try decode(Odd.self, text).parts == [
                "list inner super", "true false", "false", "7 0 false", "true false", "7 true",
                "s", "1.5 2.5", "3", "9", "true 1", "true inner", "p", "p",
            ]
        )
    }

    @Test("lets a decoder outlive the call that made it")
    func escaping() throws {
        struct Keeper: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        var bytes = Array(#"{"id":42,"user":"a name that is longer than a word"}"#.utf8)
        let keeper = try bytes.withUnsafeBytes { try JSON.decode(Keeper.self, from: $0) }
        for index in bytes.indices { bytes[index] = 0 }
        #expect(
            try Like(from: keeper.decoder)
                == Like(id: 42, user: "a name that is longer than a word")
        )
    }

    @Test("passes on what a type's own code throws")
    func ownErrors() {
        struct Refused: Error {}
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws { throw Refused() }
        }
        #expect(throws: Refused.self) { try decode(Picky.self, "1") }
        #expect(throws: JSONError.self) { try decode(Picky.self, "[") }
    }
}
