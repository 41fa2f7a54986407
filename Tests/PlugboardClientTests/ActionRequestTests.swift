import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Testing

@testable import PlugboardClient

private class Labelled: Action<Labelled.Input, Int>, GET {
    struct Input: Codable, Sendable { var labels: [String]? }
    static var path: String { "/labelled" }
    static var fields: [String: HTTPField.Name] { ["labels": .acceptLanguage] }
}

private class Searched: Action<Searched.Input, Int>, GET {
    struct Near: Codable, Sendable, Equatable { var city: String?, zip: Int? }
    struct Input: Codable, Sendable, Equatable {
        var tags: [String], ids: [Int]?, near: Near?, by: [String: Int], q: String?
    }
    static var path: String { "/searched" }
}

@Suite("ActionRequest")
struct ActionRequestTests {
    private func request(
        _ action: any ActionProtocol.Type,
        _ input: JSON?
    ) throws -> (target: String, body: String?) {
        let request = try ActionRequest(ActionRoute(action), input: input)
        return (request.target, request.body.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("members named in the path are in the path, the others in the body")
    func body() throws {
        let (target, body) = try request(PutPhoto.self, ["id": 7, "title": "Sea"])
        #expect(target == "/photos/7")
        #expect(body == #"{"title":"Sea"}"#)
        let like = try request(LikePhoto.self, ["id": 7])
        #expect(like.target == "/photos/7/like")
        #expect(like.body == "{}")
    }

    @Test("without a body the other members are in the query")
    func query() throws {
        let input: JSON = [
            "q": "a b&c", "limit": 20, "tags": ["x", "y+z"], "isPublic": true, "none": nil,
        ]
        let (target, body) = try request(ListPhotos.self, input)
        #expect(target == "/photos?q=a%20b%26c&limit=20&tags=x&tags=y%2Bz&isPublic=true")
        #expect(body == nil)
        #expect(try request(ListPhotos.self, [:]).target == "/photos")
        #expect(try request(ListPhotos.self, ["tags": []]).target == "/photos?tags%5B%5D=")
        let partly: JSON = ["q": ["a": nil, "b": 1]]
        #expect(try request(ListPhotos.self, partly).target == "/photos?q%5Bb%5D=1")
        #expect(try request(ListPhotos.self, ["q": ["a": nil]]).target == "/photos?q%5B%5D=")
    }

    @Test("the server decodes a query to the same values")
    func roundTrip() throws {
        let input = ListPhotos.Query(q: "a b&c=é", limit: 20, tags: ["x", "y+z"], isPublic: false)
        let (target, _) = try request(ListPhotos.self, JSON(encoding: input))
        let query = try #require(target.split(separator: "?").last)
        let read = try Array(query.utf8).withUnsafeBufferPointer { bytes in
            try JSON.decode(ListPhotos.Query.self, from: nil, text: Query.members(of: bytes))
        }
        #expect(read.q == input.q)
        #expect(read.limit == 20)
        #expect(read.tags == input.tags)
        #expect(read.isPublic == false)
    }

    @Test("each value of a query survives encoding and decoding")
    func values() throws {
        for ids in [nil, [], [1], [1, 2, -3]] as [[Int]?] {
            for tags in [[], [""], ["", "a"], ["[]", "é&=+"]] {
                for near in [nil, .init(city: ""), .init(city: "a b", zip: 7)] as [Searched.Near?] {
                    let input = Searched.Input(
                        tags: tags,
                        ids: ids,
                        near: near,
                        by: ["small": tags.count],
                        q: tags.first
                    )
                    let route = try ActionRoute(Searched.self)
                    let target = try ActionRequest(route, input: JSON(encoding: input)).target
                    let query = target.split(separator: "?").last.map(String.init) ?? ""
                    let read = try Array(query.utf8).withUnsafeBufferPointer { bytes in
                        try JSON.decode(
                            Searched.Input.self,
                            from: nil,
                            text: Query.members(of: bytes),
                            isWhole: true,
                            backend: .of(Searched.Input.self),
                            in: ReusableTape()
                        )
                    }
                    #expect(read == input, "\(target)")
                }
            }
        }
    }

    @Test("a list in a field is one line, with members quoted if necessary")
    func fieldLists() throws {
        func field(_ labels: JSON) throws -> String? {
            let route = try ActionRoute(Labelled.self)
            return try ActionRequest(route, input: ["labels": labels]).fields[.acceptLanguage]
        }
        #expect(try field(["a", "b-c", 3]) == "a, b-c, 3")
        #expect(try field(["a, b", #"c "d""#, ""]) == #""a, b", "c \"d\"", """#)
        #expect(try field("a, b") == "a, b")
        #expect(try field([]) == "")
        #expect(try field(nil) == nil)
    }

    @Test("an input that isn't an object is the body")
    func noObject() throws {
        #expect(try request(Sum.self, [1, 2]).body == "[1,2]")
    }

    @Test("a path with variables needs an input")
    func voidWithValues() {
        #expect(throws: ClientError.self) { try request(PutPhoto.self, nil) }
    }

    @Test("an action without input has no body")
    func void() throws {
        #expect(try request(Flush.self, nil).body == nil)
        #expect(try request(Flush.self, nil).target == "/actions/Flush")
    }

    static let misfits: [(any ActionProtocol.Type, JSON)] = [
        (ListPhotos.self, "text"),
        (ListPhotos.self, ["q": ["a": [:]]]),
        (ListPhotos.self, ["q": ["a]": 1]]),
        (ListPhotos.self, ["q": ["a": []]]),
        (ListPhotos.self, ["tags": [["a": 1]]]),
        (Labelled.self, ["labels": ["a": 1]]),
        (Labelled.self, ["labels": ["a", nil]]),
        (Labelled.self, ["labels": "a "]),
        (Labelled.self, ["labels": ["a\nb"]]),
        (ListPhotos.self, ["tags": [["x"]]]),
        (PutPhoto.self, ["title": "Sea"]),
        (PutPhoto.self, ["id": nil]),
        (PutPhoto.self, ["id": ""]),
        (PutPhoto.self, ["id": ".."]),
        (PutPhoto.self, ["id": [1]]),
        (PutPhoto.self, 7),
    ]

    @Test(
        "an input that the request can't represent is rejected",
        arguments: misfits
    )
    func refused(action: any ActionProtocol.Type, input: JSON) throws {
        let error = #expect(throws: ClientError.self) { try request(action, input) }
        #expect(error?.kind == .invalidInput)
    }
}
