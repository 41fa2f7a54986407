import Foundation
import PlugboardClient
import Plugboard

/// An input with one member.
struct Box<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// An input with one optional member.
struct Maybe<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    var value: Value?

    init(_ value: Value?) { self.value = value }
}

private let uuid = UUID(
    uuid: (142, 3, 151, 142, 64, 213, 67, 221, 188, 147, 104, 148, 165, 127, 147, 36)
)

private func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? 0 }

extension HTTPField.Name {
    fileprivate static func named(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .accept
    }
}

enum Size: String, Codable, Sendable, CaseIterable { case small, large }

struct Place: Codable, Sendable, Equatable {
    var city: String?
    var zip: Int?
}

struct Trip: Codable, Sendable, Equatable {
    var from: Place
    var stops: [String]
}

/// A body's properties.
struct Measured: Codable, Sendable, Equatable {
    var size: Int
    var sum: Int
    var type: String
}

func measured(_ body: RequestBody) async throws -> Measured {
    let bytes = try await bytes(body)
    return Measured(size: bytes.count, sum: bytes.reduce(0) { $0 + Int($1) }, type: body.mediaType)
}

private class Echo1: Action<Box<String>, Box<String>>, GET {
    static var path: String { "/query/1" }
}
private class Echo2: Action<Box<String>, Box<String>>, GET {
    static var path: String { "/query/2" }
}
private class Echo3: Action<Box<Int>, Box<Int>>, GET { static var path: String { "/query/3" } }
private class Echo4: Action<Box<UInt64>, Box<UInt64>>, GET {
    static var path: String { "/query/4" }
}
private class Echo5: Action<Box<Double>, Box<Double>>, GET {
    static var path: String { "/query/5" }
}
private class Echo6: Action<Box<Double>, Box<Double>>, GET {
    static var path: String { "/query/6" }
}
private class Echo7: Action<Box<Bool>, Box<Bool>>, GET { static var path: String { "/query/7" } }
private class Echo8: Action<Box<Date>, Box<Date>>, GET { static var path: String { "/query/8" } }
private class Echo9: Action<Box<UUID>, Box<UUID>>, GET { static var path: String { "/query/9" } }
private class Echo10: Action<Box<URL>, Box<URL>>, GET { static var path: String { "/query/10" } }
private class Echo11: Action<Box<Decimal>, Box<Decimal>>, GET {
    static var path: String { "/query/11" }
}
private class Echo12: Action<Box<Size>, Box<Size>>, GET { static var path: String { "/query/12" } }
private class Echo13: Action<Box<Data>, Box<Data>>, GET { static var path: String { "/query/13" } }
private class Echo14: Action<Box<[String]>, Box<[String]>>, GET {
    static var path: String { "/query/14" }
}
private class Echo15: Action<Box<[String]>, Box<[String]>>, GET {
    static var path: String { "/query/15" }
}
private class Echo16: Action<Box<[Int]>, Box<[Int]>>, GET {
    static var path: String { "/query/16" }
}
private class Echo17: Action<Maybe<[Int]>, Maybe<[Int]>>, GET {
    static var path: String { "/query/17" }
}
private class Echo18: Action<Maybe<[Int]>, Maybe<[Int]>>, GET {
    static var path: String { "/query/18" }
}
private class Echo19: Action<Box<Set<Int>>, Box<Set<Int>>>, GET {
    static var path: String { "/query/19" }
}
private class Echo20: Action<Box<[String: Int]>, Box<[String: Int]>>, GET {
    static var path: String { "/query/20" }
}
private class Echo21: Action<Box<[String: Int]>, Box<[String: Int]>>, GET {
    static var path: String { "/query/21" }
}
private class Echo22: Action<Box<Place>, Box<Place>>, GET {
    static var path: String { "/query/22" }
}
private class Echo23: Action<Maybe<Place>, Maybe<Place>>, GET {
    static var path: String { "/query/23" }
}
private class Echo24: Action<Maybe<Place>, Maybe<Place>>, GET {
    static var path: String { "/query/24" }
}
private class Echo25: Action<Box<Trip>, Box<Trip>>, GET { static var path: String { "/query/25" } }
private class Echo26: Action<Maybe<String>, Maybe<String>>, GET {
    static var path: String { "/query/26" }
}
private class Echo27: Action<Box<[Size]>, Box<[Size]>>, DELETE {
    static var path: String { "/delete/27" }
}
private class Echo28: Action<Box<String>, Box<String>>, GET {
    static var path: String { "/path/28/{value}" }
}
private class Echo29: Action<Box<Int>, Box<Int>>, PUT {
    static var path: String { "/path/29/{value}" }
}
private class Echo30: Action<Box<UUID>, Box<UUID>>, DELETE {
    static var path: String { "/path/30/{value}" }
}
private class Echo31: Action<Box<Size>, Box<Size>>, PATCH {
    static var path: String { "/path/31/{value}" }
}
private class Echo32: Action<Box<String>, Box<String>>, GET {
    static var path: String { "/field/32" }
    static var fields: [String: HTTPField.Name] { ["value": .named("X-Value")] }
}
private class Echo33: Action<Box<[String]>, Box<[String]>>, GET {
    static var path: String { "/field/33" }
    static var fields: [String: HTTPField.Name] { ["value": .named("X-Value")] }
}
private class Echo34: Action<Box<[String]>, Box<[String]>>, GET {
    static var path: String { "/field/34" }
    static var fields: [String: HTTPField.Name] { ["value": .named("X-Value")] }
}
private class Echo35: Action<Box<[Int]>, Box<[Int]>>, POST {
    static var path: String { "/field/35" }
    static var fields: [String: HTTPField.Name] { ["value": .named("X-Value")] }
}
private class Echo36: Action<Maybe<Int>, Maybe<Int>>, PUT {
    static var path: String { "/field/36" }
    static var fields: [String: HTTPField.Name] { ["value": .named("X-Value")] }
}
private class Echo37: Action<Box<String>, Box<String>>, POST {
    static var path: String { "/field/37" }
    static var fields: [String: HTTPField.Name] { ["value": .cookie] }
}
private class Echo38: Action<Int, Int> {}
private class Echo39: Action<String, String>, POST { static var path: String { "/body/39" } }
private class Echo40: Action<String, String>, PUT { static var path: String { "/body/40" } }
private class Echo41: Action<[[Int?]], [[Int?]]>, POST { static var path: String { "/body/41" } }
private class Echo42: Action<[Int: String], [Int: String]>, PATCH {
    static var path: String { "/body/42" }
}
private class Echo43: Action<Bool, Bool> {}
private class Echo44: Action<Data, Data>, POST { static var path: String { "/body/44" } }
private class Echo45: Action<Date, Date>, POST { static var path: String { "/body/45" } }
private class Echo46: Action<String, String>, POST { static var path: String { "/body/46" } }
private class Echo47: Action<Box<Trip?>, Box<Trip?>>, POST {
    static var path: String { "/body/47" }
}
private class Echo48: Action<Box<URL>, Box<URL>>, PUT { static var path: String { "/body/48" } }
private class Echo49: Action<Maybe<String>, Maybe<String>>, POST {
    static var path: String { "/body/49" }
}
private class Echo50: Action<Box<Set<Size>>, Box<Set<Size>>>, PATCH {
    static var path: String { "/body/50" }
}
private class Renamed: Action<Renamed.Input, Renamed.Input>, PATCH {
    struct Input: Codable, Sendable, Equatable {
        var id: Int
        var note = Change<String>.keep
        var rest = Change<[Int]>.keep
        var last = Change<Bool>.keep
    }
    static var path: String { "/change/{id}" }
}
private class Mixed: Action<Mixed.Input, Mixed.Input>, POST {
    struct Input: Codable, Sendable, Equatable {
        var id: String
        var dry: Bool
        var near: Place
        var tag: [String]
        var title: String
    }
    static var path: String { "/mixed/{id}" }
    static var fields: [String: HTTPField.Name] { ["tag": .named("X-Tag")] }
    static var queried: [String] { ["dry", "near"] }
}
private class PlainText: Action<PlainText.Input, PlainText.Input>, PUT {
    struct Input: Codable, Sendable, Equatable {
        var id: Int
        var mode: String?
        var text: String
    }
    static var path: String { "/text/{id}" }
    static var wholeBody: String? { "text" }
    static var bodyTypes: [BodyType] { [BodyType("text/plain")] }
}
private class RawJSON: Action<RawJSON.Input, RawJSON.Input>, POST {
    struct Input: Codable, Sendable, Equatable { var patch: String }
    static var path: String { "/raw" }
    static var wholeBody: String? { "patch" }
}
private class Patched: Action<Patched.Input, Patched.Input>, PATCH {
    struct Input: Codable, Sendable, Equatable {
        var id: Int
        var patch: String
        var type: String
    }
    static var path: String { "/patched/{id}" }
    static var wholeBody: String? { "patch" }
    static var bodyTypes: [BodyType] {
        [BodyType("application/merge-patch+json"), BodyType("text/x-diff")]
    }
    static var fields: [String: HTTPField.Name] { ["type": .contentType] }
}
private class Absent: Action<Absent.Input, Absent.Input>, PUT {
    struct Input: Codable, Sendable, Equatable { var text: String? }
    static var path: String { "/absent" }
    static var wholeBody: String? { "text" }
    static var bodyTypes: [BodyType] { [BodyType("text/plain")] }
}
private class Once: Action<Int, Int>, POST, RequiresIdempotencyKey {
    static var path: String { "/once" }
}
private class NoneGet: Action<Void, Void>, GET { static var path: String { "/none" } }
private class NonePost: Action<Void, Void> {}
private class NoneDelete: Action<Box<Int>, Void>, DELETE {
    static var path: String { "/none/{value}" }
}
private class Accepted: Action<Box<String>, Void>, POST {
    static var path: String { "/accepted" }
    static var statuses: [HTTPResponse.Status] { [.accepted] }
}
private class Nil: Action<Void, String?>, GET { static var path: String { "/nil" } }
private class Half: Action<Void, Double>, GET { static var path: String { "/half" } }
private class Counted: Action<Void, Counted.Output>, GET {
    struct Output: Codable, Sendable, Equatable {
        var items: [String]
        var total: Int
        var name: String
    }
    static var path: String { "/counted" }
    static var responseFields: [String: HTTPField.Name] {
        ["total": .named("X-Total"), "name": .named("X-Name")]
    }
}
private class Created: Action<Box<String>, Box<String>>, POST {
    static var path: String { "/created" }
    static func location(of output: Box<String>) -> String? { "/created/1" }
}
private class Paged: Action<Paged.Query, Page<Int>>, GET {
    struct Query: Codable, Sendable, Equatable { var cursor: String?; var limit: Int }
    static var path: String { "/paged" }
}
private class Picture: Action<Void, ResponseBody>, GET { static var path: String { "/picture" } }
private class NoBytes: Action<Void, ResponseBody>, GET { static var path: String { "/no-bytes" } }
private class Export: Action<Void, ResponseBody>, POST { static var path: String { "/export" } }
private class Invoice: Action<Box<Int>, ResponseBody>, GET {
    static var path: String { "/invoice/{value}" }
}
private class Ticks: Action<Void, EventStream>, GET { static var path: String { "/ticks" } }
private class Named: Action<Box<String>, EventStream>, POST { static var path: String { "/named" } }
private class Measure: Action<RequestBody, Measured>, POST {
    static var path: String { "/measure" }
}
private class MeasurePut: Action<RequestBody, Measured>, PUT {
    static var path: String { "/measure" }
}
private class MeasureNothing: Action<RequestBody, Measured> {}
private class MeasureForm: Action<RequestBody, Measured>, POST {
    static var path: String { "/form" }
}

/// Contracts of all kinds of methods, inputs and outputs.
enum Contracts {
    static let all: [Case] = inputs + others

    private static let inputs: [Case] = [
        .echo("a query with a text of special characters", Echo1.self, Box("a b&c=d+e%20é/?#🎈")),
        .echo("a query with an empty text", Echo2.self, Box("")),
        .echo("a query with the smallest integer", Echo3.self, Box(Int.min)),
        .echo("a query with the greatest unsigned integer", Echo4.self, Box(UInt64.max)),
        .echo("a query with a fraction", Echo5.self, Box(0.1 + 0.2)),
        .echo("a query with a large number", Echo6.self, Box(1.5e300)),
        .echo("a query with a Boolean", Echo7.self, Box(false)),
        .echo(
            "a query with a date",
            Echo8.self,
            Box(Date(timeIntervalSince1970: 1_700_000_000.25))
        ),
        .echo("a query with a UUID", Echo9.self, Box(uuid)),
        .echo("a query with a URL", Echo10.self, Box(url("https://a.example/b?c=d&e=%20f"))),
        .echo("a query with a decimal number", Echo11.self, Box(decimal("123456789.987654321"))),
        .echo("a query with an enum's value", Echo12.self, Box(Size.large)),
        .echo("a query with bytes", Echo13.self, Box(Data([0, 255, 62, 63]))),
        .echo("a query with texts, some of them empty", Echo14.self, Box(["", "a,b", "", "[]"])),
        .echo("a query with one text in a list", Echo15.self, Box(["x"])),
        .echo("a query with an empty list", Echo16.self, Box([])),
        .echo("a query with an empty optional list", Echo17.self, Maybe([])),
        .echo("a query with an absent list", Echo18.self, Maybe(nil)),
        .echo("a query with a set", Echo19.self, Box([3, 1, 2])),
        .echo("a query with a dictionary", Echo20.self, Box(["a b": 1, "ü": -2])),
        .echo("a query with an empty dictionary", Echo21.self, Box([:])),
        .echo("a query with a struct", Echo22.self, Box(Place(city: "Riga, LV", zip: 7))),
        .echo(
            "a query with a struct without values",
            Echo23.self,
            Maybe(Place(city: nil, zip: nil))
        ),
        .echo("a query with an absent struct", Echo24.self, Maybe(nil)),
        .echo(
            "a query with a struct in a struct",
            Echo25.self,
            Box(Trip(from: Place(city: "a[b", zip: nil), stops: ["x", "y"]))
        ),
        .echo("a query with an absent text", Echo26.self, Maybe(nil)),
        .echo("a query of a DELETE", Echo27.self, Box([.small, .large])),
        .echo("a path with special characters", Echo28.self, Box("a/b c%2Fd?é#🎈")),
        .echo("a path with a negative number", Echo29.self, Box(-7)),
        .echo("a path with a UUID", Echo30.self, Box(uuid)),
        .echo("a path with an enum's value", Echo31.self, Box(Size.small)),
        .echo("a field with a text", Echo32.self, Box("a, \"b\"; c=é")),
        .echo("a field with texts", Echo33.self, Box(["a", "b, c", "\"d\"", ""])),
        .echo("a field with an empty list", Echo34.self, Box([])),
        .echo("a field with numbers", Echo35.self, Box([1, -2, 3])),
        .echo("an absent field", Echo36.self, Maybe(nil)),
        .echo("a cookie", Echo37.self, Box("a=b; c=d")),
        .echo("a body that is a number", Echo38.self, -7),
        .echo("a body that is a text", Echo39.self, "a\n\u{0}\u{7F}\"🎈"),
        .echo("a body that is an empty text", Echo40.self, ""),
        .echo("a body that is a list of lists", Echo41.self, [[], [nil, 1], [2]]),
        .echo("a body that is a dictionary with integers as keys", Echo42.self, [1: "a", -2: ""]),
        .echo("a body that is a Boolean", Echo43.self, true),
        .echo("a body that is bytes", Echo44.self, Data((0...255).map { UInt8($0) })),
        .echo("a body that is a date", Echo45.self, Date(timeIntervalSince1970: 0.5)),
        .echo("a body of 600 kB", Echo46.self, String(repeating: "aé🎈", count: 90_000)),
        .echo(
            "a body with nested optionals",
            Echo47.self,
            Box(Trip(from: Place(city: nil, zip: 1), stops: []))
        ),
        .echo("a body with a URL", Echo48.self, Box(url("../a?b#c"))),
        .echo("a body without its only member", Echo49.self, Maybe(nil)),
        .echo("a body with a set of enum values", Echo50.self, Box([.small, .large])),
    ]

    private static let others: [Case] = [
        .echo(
            "changes of a PATCH: kept, cleared and set",
            Renamed.self,
            .init(id: 1, note: .clear, rest: .set([1]))
        ),
        .echo(
            "an input in path, query, field and body",
            Mixed.self,
            .init(
                id: "a b",
                dry: true,
                near: Place(city: "R", zip: 1),
                tag: ["x", "y,z"],
                title: "t"
            )
        ),
        .echo(
            "a whole body of text",
            PlainText.self,
            .init(id: 1, mode: "a b", text: "line\r\n\u{0}é 7")
        ),
        .echo("a whole body of JSON", RawJSON.self, .init(patch: #"{"a" : [1.10, null ]}"#)),
        .echo(
            "a whole body with a type",
            Patched.self,
            .init(id: 1, patch: "--- a", type: "text/x-diff")
        ),
        .echo("an absent whole body", Absent.self, .init(text: nil)),
        .echo("an action that requires an idempotency key", Once.self, 7),
        .none("no input and no output of a GET", NoneGet.self),
        .none("no input and no output", NonePost.self),
        .none("no output of a DELETE", NoneDelete.self, Box(7)),
        .none("no output with a status of its own", Accepted.self, Box("x")),
        .value("an absent output", Nil.self, nil),
        .value("an output that is a fraction", Half.self, 0.5),
        .value(
            "an output with members in fields",
            Counted.self,
            .init(items: ["a"], total: 3, name: "a, b")
        ),
        .echo("a created resource", Created.self, Box("x")),
        .value("a page", Paged.self, .init(cursor: "a&b", limit: 2)) { query in
            Page([1, 2], next: "c d", total: query.limit)
        },
        .body("a complete body", Picture.self) {
            ResponseBody(bytes: [0x89, 0, 255], mediaType: "image/png")
        },
        .body("an empty body", NoBytes.self) { ResponseBody(bytes: [], mediaType: "text/csv") },
        .body("a body of 3 MB in pieces", Export.self) {
            ResponseBody(
                stream((0..<300).map { [UInt8](repeating: UInt8($0 % 251), count: 10_000) }),
                mediaType: "text/csv; charset=utf-8"
            )
        },
        .body("a body for an input", Invoice.self, Box(7)) {
            ResponseBody(bytes: Array("\($0.value)".utf8))
        },
        .events(
            "events with every field",
            Ticks.self,
            [
                ServerSentEvent(data: "a\nb\n\nc: d"), ServerSentEvent(data: ""),
                ServerSentEvent(data: " x", event: "like", id: "7", retry: .milliseconds(1_500)),
                ServerSentEvent(data: "🎈", id: ""),
            ]
        ),
        .events("events for an input", Named.self, Box("é")) { [ServerSentEvent(data: $0.value)] },
        .upload(
            "a body of bytes",
            Measure.self,
            { RequestBody(bytes: Data([1, 0, 255]), mediaType: "image/png") },
            measured
        ),
        .upload(
            "a body of 3 MB in pieces",
            MeasurePut.self,
            {
                RequestBody(
                    stream((0..<300).map { [UInt8](repeating: UInt8($0 % 251), count: 10_000) }),
                    mediaType: "text/csv"
                )
            },
            measured
        ),
        .upload("an empty body", MeasureNothing.self, { RequestBody(bytes: []) }, measured),
        .upload(
            "a multipart form",
            MeasureForm.self,
            {
                var form = MultipartForm()
                form.add("a", "b")
                form.add("f", bytes: [0, 13, 10], fileName: "x\"y.bin")
                return try form.body()
            },
            { body in
                Measured(
                    size: try await bytes(body).count,
                    sum: 0,
                    type: "\(body.mediaType.prefix(19))"
                )
            }
        ),
    ]
}
