import JSONCodec
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Texts with empty values")
struct TextFormsTests {
    private enum Order: String, Codable { case newest, oldest }

    private struct Search: Codable, Equatable, Constrained {
        var q: String?
        var limit: Int?
        var price: Double?
        var deep: Bool?
        var order: Order?
        var since: Date?
        var id: UUID?
        var page: URL?
        var size: Int
        var near: Near?
        var ids: [Int]?

        struct Near: Codable, Equatable { var city: String?, zip: Int? }
        static var constraints: Constraints { ["size": [.default(20)]] }
    }

    private struct Lists: Codable, Equatable {
        var tags: [String]
        var ids: [Int]
        var more: [String]?
    }

    private func decode<T: Decodable & SendableMetatype>(
        _ type: T.Type,
        body: String? = nil,
        isWhole: Bool = true,
        _ query: (String, String)...
    ) throws -> T {
        let text = query.map { TextMember(name: $0.0, text: $0.1, origin: .query) }
        return try Array((body ?? "").utf8).withUnsafeBytes { bytes in
            try JSON.decode(
                type,
                from: bytes,
                text: text,
                isWhole: isWhole,
                backend: .of(type),
                in: ReusableTape()
            )
        }
    }

    @Test("an empty optional value is absent, as in HTML forms; an empty string stays")
    func absent() throws {
        let search = try decode(
            Search.self,
            ("q", ""),
            ("limit", ""),
            ("price", ""),
            ("deep", ""),
            ("order", ""),
            ("since", ""),
            ("id", ""),
            ("page", ""),
            ("size", ""),
            ("near[city]", ""),
            ("near[zip]", ""),
            ("ids", "")
        )
        #expect(search == Search(q: "", size: 20, near: .init(city: "")))
    }

    @Test("an empty required value is missing, and an empty one of two is a duplicate")
    func required() {
        struct Page: Codable { var limit: Int }
        #expect(failure { _ = try decode(Page.self, ("limit", "")) } == "/limit: missing")
        #expect(
            failure { _ = try decode(Page.self, ("limit", ""), ("limit", "1")) }
                == "/limit: given more than once"
        )
        #expect(
            failure { _ = try decode(Search.self, body: #"{"limit":""}"#) }
                == "/limit: expected an integer"
        )
    }

    @Test("an empty value with brackets is an empty list, others are elements")
    func lists() throws {
        #expect(try decode(Lists.self) == Lists(tags: [], ids: []))
        #expect(try decode(Lists.self, ("tags", "")) == Lists(tags: [""], ids: []))
        #expect(
            try decode(Lists.self, ("tags[]", ""), ("ids[]", "1"), ("more[]", ""))
                == Lists(tags: [], ids: [1], more: [])
        )
        #expect(
            try decode(Lists.self, ("tags[]", ""), ("tags[]", "a"), ("ids", ""))
                == Lists(tags: ["", "a"], ids: [])
        )
    }

    private struct Objects: Codable, Equatable, Constrained {
        var near: Near
        var counts: [String: Int]
        var more: [Int: Bool]?
        var full: Full?

        struct Near: Codable, Equatable, Constrained {
            var city: String?
            var zip: Int
            static var constraints: Constraints { ["zip": [.default(5)]] }
        }
        struct Full: Codable, Equatable { var id: Int }
        static var constraints: Constraints { [:] }
    }

    private struct Counts: Codable, Equatable {
        var counts: [String: Int]
        var more: [Int: Bool]?
    }

    @Test("an absent object is empty if it may be, with its defaults")
    func objects() throws {
        #expect(try decode(Objects.self) == Objects(near: .init(zip: 5), counts: [:]))
        #expect(
            try decode(Objects.self, ("near[city]", "Riga"), ("counts[a]", "1"), ("more[]", ""))
                == Objects(near: .init(city: "Riga", zip: 5), counts: ["a": 1], more: [:])
        )
        #expect(try decode(Counts.self) == Counts(counts: [:]))
        #expect(
            try decode(Counts.self, ("counts[]", ""), ("more[]", ""))
                == Counts(counts: [:], more: [:])
        )
        #expect(
            try decode(Counts.self, ("counts[]", ""), ("counts[a]", "1"))
                == Counts(counts: ["a": 1])
        )
        #expect(try decode(Counts.self, ("counts[]", "1")) == Counts(counts: ["": 1]))
    }

    @Test("an object with required members is missing")
    func requiredObjects() {
        struct Place: Codable { var full: Objects.Full }
        #expect(failure { _ = try decode(Place.self) } == "/full: missing")
        #expect(
            failure { _ = try decode(Counts.self, body: #"{"more":{}}"#) } == "/counts: missing"
        )
    }

    @Test("a missing list of a body is an error")
    func bodies() {
        let missing = "/ids: missing"
        #expect(failure { _ = try decode(Lists.self, body: #"{"tags":[]}"#) } == missing)
        #expect(
            failure { _ = try decode(Lists.self, isWhole: false, ("tags[]", "")) } == missing
        )
    }
}
