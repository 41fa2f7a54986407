import JSONCodec
import PlugboardClient
import Testing

@Suite("A view of JSON")
struct JSONViewTests {
    private let text =
        #"{ "username":"b\u006fb", "email":null,"id":7, "unnamed":[1.50, {"x":[ ]}] , "home":{"city":"Riga"}}"#

    private func user(_ text: String? = nil) throws -> ResponseUser {
        try JSON.decode(ResponseUser.self, from: Array((text ?? self.text).utf8))
    }

    /// Returns the problems of a view that isn't made.
    private func problems<View: JSONView>(_ type: View.Type, _ text: String) throws -> [String] {
        let content = try ViewContent(parsing: Array(text.utf8))
        let lenient = View.lenient(content)
        do {
            _ = try View(content)
            #expect(lenient.problems.isEmpty)
            return []
        } catch {
            #expect(error.problems == lenient.problems)
            return error.problems.map(\.description)
        }
    }

    @Test("reads the members that it names, and prints what the server sent")
    func read() async throws {
        let client = Client("http://localhost:8080", transport: CannedTransport(text))
        let user: ResponseUser = try await client.get("/users/7")
        #expect(user.username == "bob")
        #expect(user.email == nil)
        #expect(user.identifier == 7)
        #expect(user.plan == "free")
        #expect(user.score == nil)
        #expect(!user.isAdmin)
        #expect(user.tags == [])
        #expect(user.home == .init(city: "Riga"))
        #expect("\(user)" == text)
        #expect(user.json["unnamed"]?[0] == .number(try #require(JSON.Number("1.50"))))
    }

    @Test("is an error with each place, the expected and the found type")
    func strict() throws {
        let text =
            #"{"username":null,"id":"7","plan":1,"score":"x","is/Admin":"yes","tags":[1,"a"],"home":{}}"#
        #expect(
            try problems(ResponseUser.self, text) == [
                "/username: expected a string, found null",
                "/id: expected an integer, found a string",
                "/plan: expected a string, found a number",
                "/score: expected a number in range, found a string",
                "/is~1Admin: expected a Boolean, found a string",
                "/tags/0: expected a string, found a number",
                "/home/city: missing",
            ]
        )
        #expect(
            try problems(ResponseUser.self, "{}") == [
                "/username: missing, expected a string", "/id: missing, expected an integer",
            ]
        )
        #expect(
            try problems(ResponseUser.self, #"{"username":"","id":1.5}"#) == [
                "/id: expected an integer, found a number"
            ]
        )
        for (text, found) in [("[]", "an array"), ("null", "null"), ("1", "a number")] {
            #expect(
                try problems(ResponseUser.self, text) == ["expected an object, found \(found)"]
            )
        }
    }

    @Test("checks nested views and arrays of views with whole pointers")
    func nested() throws {
        let good = #"{"username":"a","id":1}"#
        #expect(try problems(ResponseFollow.self, "{\"follower\":\(good)}").isEmpty)
        let bad =
            "{\"follower\":\(good),\"followed\":3,\"others\":[\(good),{\"id\":1}],\"cells\":[1,null,\"\"]}"
        #expect(
            try problems(ResponseFollow.self, bad) == [
                "/followed: expected an object, found a number",
                "/others/1/username: missing, expected a string",
                "/cells/2: expected an integer, found a string",
            ]
        )
        #expect(
            try problems(ResponseFollow.self, #"{"cells":[null]}"#) == [
                "/follower: missing, expected an object"
            ]
        )
    }

    @Test("throws within a decoded value, with the pointer from the root")
    func decoded() throws {
        struct Page: Codable { var users: [ResponseUser] }
        let text = #"{"users":[{"id":1.0,"username":"bob","a":1.50},{"username":"eve"}]}"#
        do {
            _ = try JSON.decode(Page.self, from: Array(text.utf8))
            Issue.record("the second user has no id")
        } catch let error as ViewError {
            #expect(error.description == "/users/1/id: missing, expected an integer")
        }
        let whole = #"{"users":[{"a":1.50,"id":1,"username":"bob"}]}"#
        let page = try JSON.decode(Page.self, from: Array(whole.utf8))
        #expect(page.users[0].username == "bob")
        #expect("\(page.users[0])" == #"{"a":1.50,"id":1,"username":"bob"}"#)
        #expect(String(decoding: try JSON.encode(page), as: UTF8.self) == whole)
    }

    @Test("changes a copy, and preserves members that it doesn't name")
    func setting() throws {
        let user = try user()
        let renamed = user.setting(\.username, to: "ada").setting(\.email, to: "ada@x")
        #expect(renamed.username == "ada" && user.username == "bob")
        #expect(renamed.json.object?.names == user.json.object?.names)
        #expect(renamed.mergePatch == ["username": "ada", "email": "ada@x"])
        #expect(user.mergePatch == [:])
        #expect(
            "\(renamed)"
                == #"{"username":"ada","email":"ada@x","id":7,"unnamed":[1.50,{"x":[]}],"home":{"city":"Riga"}}"#
        )
    }

    @Test("removes a member with nil, and leaves it for a number that JSON can't have")
    func removing() throws {
        let user = try user(#"{"username":"a","id":1,"email":"e","score":1.5}"#)
        let silent = user.setting(\.email, to: nil)
        #expect(silent.email == nil)
        #expect(silent.mergePatch == ["email": nil])
        #expect(user.setting(\.score, to: .nan).score == 1.5)
        #expect(user.setting(\.score, to: .infinity) == user)
        #expect(user.setting(\.score, to: 2).mergePatch == ["score": 2.0])
        #expect(user.setting(\.username, to: "b").setting(\.username, to: "a") == user)
    }

    @Test("changes a nested view, and the patch has the change alone")
    func nestedChange() throws {
        let text = #"{"follower":{"username":"bob","id":1,"x":[1]},"since":2017}"#
        let follow = try ResponseFollow(ViewContent(parsing: Array(text.utf8)))
        let renamed = follow.setting(\.follower.username, to: "bobby")
        #expect(renamed.json["follower"]?["x"] == [1])
        #expect(renamed.mergePatch == ["follower": ["username": "bobby"]])
        #expect(follow.follower.username == "bob")
    }

    @Test("is made of JSON that the app writes, with the same check")
    func made() throws {
        let user = try ResponseUser(json: ["username": "a", "id": 1])
        #expect(user.setting(\.plan, to: "pro").mergePatch == ["plan": "pro"])
        #expect(throws: ViewError.self) { try ResponseUser(json: ["id": 1]) }
    }

    @Test("reads anyway if it is lenient, and lists the problems")
    func lenient() async throws {
        let text = #"{"username":1,"id":"7","score":"x","tags":["a",1],"plan":false,"home":[]}"#
        let client = Client("http://localhost:8080", transport: CannedTransport(text))
        let lenient = try await client.get("/users/7", as: Lenient<ResponseUser>.self)
        #expect(
            lenient.problems.map(\.pointer) == [
                "/username", "/id", "/plan", "/score", "/tags/1", "/home",
            ]
        )
        let user = lenient.view
        #expect(user.username == "" && user.identifier == 0 && user.score == nil)
        #expect(user.tags == ["a", ""] && user.plan == "free" && user.home == nil)
        #expect("\(user)" == text)
        let none = ResponseUser.lenient(ViewContent(.null)).view
        #expect(none.username == "")
        #expect(none.setting(\.username, to: "a").json == ["username": "a"])
    }

    @Test("prints every text as it was parsed")
    func printing() throws {
        let texts = [
            "{}", " [ ] ", "[[],{}, [1 , 2 ]\n]", #"{"a" : {"b":[ "x\"y" , -1.0e5 ]  } }"#, "true",
            #""é\u00e9""#, "{\"a\":[{}\t]\r\n}",
        ]
        for text in texts {
            let content = try ViewContent(parsing: Array(text.utf8))
            #expect("\(content)" == text.trimmed)
            #expect(content.json == (try JSON(parsing: Array(text.utf8))))
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
