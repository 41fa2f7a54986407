import Plug
import Testing

// The calls of the design, word for word: they must compile as they stand.

struct Photo: Codable, Sendable { var id: Int; var title: String }
struct Likes: Codable, Sendable, Equatable { var photo: Int; var likes: Int }

class LikePhoto: Action<LikePhoto.Like, Likes> {
    struct Like: Codable, Sendable { var id: Int; var user: String? }
}

/// Stands for the network client.
struct Client: Sendable {
    func send<A: ActionProtocol>(_ type: A.Type, _ input: A.Input) async throws -> Likes
    where A.Input == LikePhoto.Like {
        Likes(photo: input.id, likes: 7)
    }
}

final class NetworkLikePhoto: LikePhoto {
    let network: Client
    init(network: Client) { self.network = network }
    override func perform(_ like: Like) async throws -> Likes {
        try await network.send(LikePhoto.self, like)
    }
}

final class MockLikePhoto: LikePhoto {
    override func perform(_ like: Like) async throws -> Likes {
        Likes(photo: like.id, likes: 1_000)
    }
}

extension Photo {
    func like() async throws -> Likes { try await action(LikePhoto.self, .init(id: id)) }
}

/// Serialized, because these plug one action for everybody.
@Suite("Examples from the design", .serialized)
struct DesignTests {
    let client = Client()

    @Test("an action is plugged with <~ and called")
    func plugAndCall() async throws {
        LikePhoto.self <~ NetworkLikePhoto(network: client)
        let likes = try await action(LikePhoto.self, .init(id: 42))
        #expect(likes == Likes(photo: 42, likes: 7))
        #expect(try await Photo(id: 3, title: "Sea").like() == Likes(photo: 3, likes: 7))
    }

    @Test("an action is plugged with Actions.plug")
    func spelledOut() async throws {
        Actions.plug(LikePhoto.self, to: NetworkLikePhoto(network: client))
        let likes = try await action(LikePhoto.self, .init(id: 42))
        #expect(likes == Likes(photo: 42, likes: 7))
    }

    @Test("a closure is an implementation, too")
    func closure() async throws {
        LikePhoto.self <~ { like in Likes(photo: like.id, likes: 1) }
        let likes = try await action(LikePhoto.self, .init(id: 42))
        #expect(likes == Likes(photo: 42, likes: 1))
    }

    @Test("withPlugs plugs for one task and its child tasks only")
    func withPlugs() async throws {
        LikePhoto.self <~ NetworkLikePhoto(network: client)
        try await Actions.withPlugs {
            LikePhoto.self <~ MockLikePhoto()
        } operation: {
            let likes = try await action(LikePhoto.self, .init(id: 42))
            #expect(likes == Likes(photo: 42, likes: 1_000))
        }
        #expect(try await Photo(id: 3, title: "Sea").like().likes == 7)
    }

    @Test("synchronous code continues with then, onError and finally")
    func promise() async throws {
        LikePhoto.self <~ NetworkLikePhoto(network: client)
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        func begin() {
            action(LikePhoto.self, .init(id: 42)).then { likes in
                continuation.yield("\(likes.likes) likes")
            }.onError { error in
                continuation.yield("\(error)")
            }.finally {
                continuation.finish()
            }
        }
        begin()
        #expect(await Array(events) == ["7 likes"])
    }
}

extension Array {
    /// Everything that a stream gives until it ends.
    init(_ stream: AsyncStream<Element>) async {
        self.init()
        for await element in stream { append(element) }
    }
}
