import JSONCodec
import PlugboardClient
import Testing

struct ResponseUser: JSONView {
    var json: JSON

    var username: String {
        get { self["username"] }
        set { self["username"] = newValue }
    }
    var email: String? {
        get { self["email"] }
        set { self["email"] = newValue }
    }
    var identifier: Int { self["id"] }
    var plan: String {
        get { self["plan", default: "free"] }
        set { self["plan", default: "free"] = newValue }
    }
    var score: Double { self["score"] }
    var isAdmin: Bool { self["isAdmin"] }
    var tags: [String] { self["tags"] }
    var home: Place? {
        get { self["home"] }
        set { self["home"] = newValue }
    }

    struct Place: Codable, Equatable { var city: String }
}

struct ResponseFollow: JSONView {
    var json: JSON

    var follower: ResponseUser {
        get { self["follower"] }
        set { self["follower"] = newValue }
    }
    var followed: ResponseUser? { self["followed"] }
    var others: [ResponseUser] { self["others"] }
}

@Suite("JSONView")
struct JSONViewTests {
    let user = ResponseUser(
        json: ["username": "bob", "email": "bob@site.com", "id": 7, "unnamed": [1, 2]]
    )

    @Test("a response is read through the view's properties")
    func read() async throws {
        let text = #"{"username":"bob","email":"bob@site.com","id":7}"#
        let client = Client("http://localhost:8080", transport: CannedTransport(text))
        let user: ResponseUser = try await client.get("/users/7")
        #expect(user.username == "bob")
        #expect(user.email == "bob@site.com")
        #expect(user.identifier == 7)
        #expect(user.json.description == text)
    }

    @Test("setting returns a new value and preserves members that the view doesn't declare")
    func setting() {
        let renamed = user.setting(\.username, to: "ada")
        #expect(renamed.username == "ada")
        #expect(renamed.email == "bob@site.com")
        #expect(renamed.json["unnamed"] == [1, 2])
        #expect(user.username == "bob")
        #expect(renamed.json.object?.names == ["username", "email", "id", "unnamed"])
    }

    @Test("setting nil removes a member")
    func removing() {
        let silent = user.setting(\.email, to: nil)
        #expect(silent.email == nil)
        #expect(silent.json.object?.names == ["username", "id", "unnamed"])
    }

    @Test(
        "a missing, null or mistyped member is nil, its default or the type's empty value",
        arguments: [
            [:],
            [
                "username": nil, "email": nil, "id": nil, "plan": nil, "score": nil,
                "isAdmin": nil, "tags": nil, "home": nil,
            ],
            [
                "username": 1, "email": true, "id": "7", "plan": [], "score": "x", "isAdmin": 1,
                "tags": ["a", 1], "home": "here",
            ],
            "no object", nil, [1],
        ] as [JSON]
    )
    func absent(json: JSON) {
        let user = ResponseUser(json: json)
        #expect(user.username == "")
        #expect(user.email == nil)
        #expect(user.identifier == 0)
        #expect(user.plan == "free")
        #expect(user.score == 0)
        #expect(!user.isAdmin)
        #expect(user.tags == [])
        #expect(user.home == nil)
    }

    @Test("members of all types are read and written")
    func types() {
        let user = ResponseUser(
            json: ["score": 1.5, "isAdmin": true, "tags": ["a"], "home": ["city": "Paris"]]
        )
        #expect(user.score == 1.5)
        #expect(user.isAdmin)
        #expect(user.tags == ["a"])
        #expect(user.home == .init(city: "Paris"))
        let moved = user.setting(\.home, to: .init(city: "Oslo")).setting(\.plan, to: "pro")
        #expect(moved.json["home"] == ["city": "Oslo"])
        #expect(moved.plan == "pro")
    }

    @Test("views nest, and setting a nested member changes the outer value")
    func nested() {
        let follow = ResponseFollow(
            json: [
                "follower": ["username": "bob", "x": 1], "followed": ["username": "ada"],
                "others": [["username": "eve"]], "since": 2017,
            ]
        )
        #expect(follow.follower.username == "bob")
        #expect(follow.followed?.username == "ada")
        #expect(follow.others.map(\.username) == ["eve"])
        let renamed = follow.setting(\.follower.username, to: "bobby")
        #expect(renamed.json["follower"] == ["username": "bobby", "x": 1])
        #expect(renamed.json["since"] == 2017)
        #expect(ResponseFollow(json: [:]).follower.username == "")
        #expect(ResponseFollow(json: ["followed": 1]).followed == nil)
    }

    @Test("a view is decoded and encoded with all members, alone and in other values")
    func coding() throws {
        struct Page: Codable { var users: [ResponseUser] }
        let text = #"{"users":[{"a":1.50,"username":"bob"},{"b":[null]}]}"#
        let page = try JSON.decode(Page.self, from: Array(text.utf8))
        #expect(page.users.first?.username == "bob")
        #expect(String(decoding: try JSON.encode(page), as: UTF8.self) == text)
    }

    @Test("setting a member of a value that isn't an object makes it an object")
    func noObject() {
        let user = ResponseUser(json: nil).setting(\.username, to: "ada")
        #expect(user.json == ["username": "ada"])
    }

    @Test("arrays of optional elements preserve nulls")
    func optionals() {
        struct Row: JSONView {
            var json: JSON
            var cells: [Int?] { self["cells"] }
        }
        #expect(Row(json: ["cells": [1, nil, 3]]).cells == [1, nil, 3])
    }
}
