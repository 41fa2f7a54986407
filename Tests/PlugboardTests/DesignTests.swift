import Foundation
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

// The calls of the design, word for word: they must compile as they stand, with these imports.

struct Photo: Codable, Sendable { var id: Int; var title: String }
struct Likes: Codable, Sendable, Equatable { var photo: Int; var likes: Int }

class LikePhoto: Action<LikePhoto.Like, Likes> {
    struct Like: Codable, Sendable { var id: Int; var user: String? }
}
final class NetworkLikePhoto: LikePhoto {
    let network: Client
    init(network: Client) { self.network = network }
    override func perform(_ like: Like) async throws -> Likes {
        try await network.send(LikePhoto.self, like)
    }
}

extension Photo {
    func like() async throws -> Likes { try await action(LikePhoto.self, .init(id: id)) }
}

extension LikePhoto: POST { static var path: String { "/photos/{id}/like" } }
class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    struct Query: Codable, Sendable { var limit: Int? }
    static var path: String { "/photos" }
}

struct ResponseUser: JSONView {
    static let username = ViewKey<String>("username")
    static let keys: [any AnyViewKey] = [username]

    var content: ViewContent
    var username: String {
        get { self[Self.username] }
        set { self[Self.username] = newValue }
    }
}

private class GetUser: Action<GetUser.Input, GetUser.User>, GET {
    struct Input: Codable, Sendable { var id: Int }
    struct User: Codable, Sendable { var id: Int; var username: String; var plan: String }
    static var path: String { "/users/{id}" }
}

/// Serialized, because these plug one action for everybody.
@Suite("Examples from the design", .serialized)
struct DesignTests {
    private let document =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/public/behaviors.json"

    @Test("a server consists of a document and a list of actions")
    func list() {
        let server = Server(behaviors: .file("public/behaviors.json")) {
            LikePhoto.self
            ListPhotos.self
        }
        #expect(server.actions.map(\.route) == ["POST /photos/{id}/like", "GET /photos"])
        #expect(server.actions.map(\.name) == ["LikePhoto", "ListPhotos"])
        #expect(server.configuration.host == "127.0.0.1")
        #expect(server.configuration.port == 8080)
    }

    @Test("send performs an action at the server")
    func send() async throws {
        LikePhoto.self <~ { like in Likes(photo: like.id, likes: 1) }
        ListPhotos.self <~ { query in
            [Photo(id: 1, title: "Sea"), Photo(id: 42, title: "Mir")].suffix(query.limit ?? 2)
        }
        let server = Server(behaviors: .file(document)) {
            LikePhoto.self
            ListPhotos.self
        }
        try await serving(server) { site in
            let client = Client(site.url)
            let likes = try await client.send(LikePhoto.self, .init(id: 42))
            #expect(likes == Likes(photo: 42, likes: 1))
            let photos = try await client.send(ListPhotos.self, .init(limit: 1))
            #expect(photos.map(\.title) == ["Mir"])
            let all = try await client.send(ListPhotos.self, .init())
            #expect(all.count == 2)
        }
    }

    @Test("an app's action is plugged to a client, and the app's code doesn't change")
    func remotePlug() async throws {
        // One process stands for both ends here: the server's end is plugged for its tasks by a
        // name of its own.
        CountLikes.self <~ { like in Likes(photo: like.id, likes: 7) }
        let server = Server {
            CountLikes.self
        }
        try await serving(server) { site in
            let client = Client(site.url)
            LikePhoto.self <~ client
            #expect(try await Photo(id: 3, title: "Sea").like() == Likes(photo: 3, likes: 7))
            LikePhoto.self <~ NetworkLikePhoto(network: client)
            let likes = try await action(LikePhoto.self, .init(id: 42))
            #expect(likes == Likes(photo: 42, likes: 7))
        }
    }

    @Test("get returns a typed view of the JSON, and setting preserves members without a property")
    func view() async throws {
        GetUser.self <~ { .init(id: $0.id, username: "augusta", plan: "free") }
        let server = Server { GetUser.self }
        try await serving(server) { site in
            let client = Client(site.url)
            let user: ResponseUser = try await client.get("/users/7")
            #expect(user.username == "augusta")
            let renamed = user.setting(\.username, to: "ada")
            #expect(renamed.username == "ada")
            #expect(renamed.json["plan"] == .string("free"))
            #expect(renamed.json["id"]?.decoded(Int.self) == 7)
            #expect(user.username == "augusta")
        }
    }

    @Test("the article's document is served with its exact bytes")
    func behaviors() async throws {
        let written = try String(contentsOfFile: document, encoding: .utf8)
        try await serving(Server(behaviors: .file(document))) { site in
            let answer = try await site.get("/behaviors.json")
            #expect(answer.status == 200)
            #expect(answer.mediaType == "application/json")
            #expect(answer.text == written)
        }
    }
}

/// The server's end of `LikePhoto`.
private class CountLikes: Action<LikePhoto.Like, Likes>, POST {
    static var path: String { LikePhoto.path }
}

extension JSON {
    fileprivate func decoded<T: Decodable>(_ type: T.Type) -> T? { try? decode(type) }
}
