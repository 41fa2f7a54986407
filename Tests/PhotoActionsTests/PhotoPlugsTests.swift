import HTTPTypes
import Locking
import PhotoActions
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

/// Serialized, because these plug the sample's actions for everybody.
@Suite("The sample's plugs", .serialized)
struct PhotoPlugsTests {
    private struct NoSource: Error {}

    /// Sources that keep who was asked.
    private final class Asked: Sendable {
        let names = Locked<Set<String>>([])
        let memory = MemoryPhotos()

        func sources(database: PhotoDatabase? = nil, client: Client? = nil) -> PhotoPlugs.Sources {
            func ask<Value: Sendable>(
                _ name: String,
                _ value: Value?
            ) -> @Sendable () throws -> Value {
                {
                    self.names.withLock { _ = $0.insert(name) }
                    guard let value else { throw NoSource() }
                    return value
                }
            }
            return .init(
                database: ask("database", database),
                memory: ask("memory", memory),
                network: ask("network", client)
            )
        }
    }

    private let actions = [
        "ListPhotos", "GetPhoto", "PostPhoto", "LikePhoto", "UnlikePhoto", "WatchLikes",
    ]

    private var allMemory: [String: String] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0, "Memory\($0)") })
    }

    @Test("each action has three implementations, known by name; what streams has no remote one")
    func names() {
        #expect(
            PhotoPlugs.implementations(of: "WatchLikes")
                == ["DatabaseWatchLikes", "MemoryWatchLikes"]
        )
        for action in actions where action != "WatchLikes" {
            #expect(
                PhotoPlugs.implementations(of: action)
                    == ["Database\(action)", "Memory\(action)", "Network\(action)"]
            )
        }
        #expect(PhotoPlugs.implementations(of: "LikeFoto") == [])
        #expect(PhotoPlugs.actions.map(\.name) == actions + ["Ping"])
        #expect(
            PhotoPlugs.actions.map(\.route) == [
                "GET /photos", "GET /photos/{id}", "POST /photos", "POST /photos/{id}/like",
                "DELETE /photos/{id}/like", "GET /photos/{id}/likes", "POST /actions/Ping",
            ]
        )
    }

    @Test("an unknown name is an error that says what there is, before anything is plugged")
    func unknown() throws {
        let asked = Asked()
        let none = #expect(throws: UnknownPlug.self) {
            try PhotoPlugs.plug(["LikeFoto": "MemoryLikePhoto"], sources: asked.sources())
        }
        #expect(none?.description == "there is no action LikeFoto")
        let other = #expect(throws: UnknownPlug.self) {
            var chosen = allMemory
            chosen["LikePhoto"] = "MemoryLike"
            try PhotoPlugs.plug(chosen, sources: asked.sources())
        }
        #expect(
            other?.description
                == "LikePhoto has no implementation MemoryLike, but DatabaseLikePhoto, "
                + "MemoryLikePhoto, NetworkLikePhoto"
        )
        #expect(asked.names.withLock { $0 } == [])
    }

    @Test("what isn't chosen is plugged to the database")
    func database() async throws {
        let folder = try TemporaryFolder()
        let asked = Asked()
        let database = PhotoDatabase(folder: folder.path)
        try PhotoPlugs.plug([:], sources: asked.sources(database: database))
        #expect(asked.names.withLock { $0 } == ["database"])
        #expect(try await action(LikePhoto.self, .init(id: 42)).likes == 1)
        #expect(try await Photos(database: database).like(.init(id: 42)).likes == 2)
        #expect(try await action(Ping.self) == "pong")
    }

    @Test("a source is asked only if an implementation stands on it, and its error is told")
    func sources() async throws {
        let asked = Asked()
        try PhotoPlugs.plug(allMemory, sources: asked.sources())
        #expect(asked.names.withLock { $0 } == ["memory"])
        #expect(try await action(LikePhoto.self, .init(id: 42)).likes == 1)
        #expect(throws: NoSource.self) {
            try PhotoPlugs.plug(["LikePhoto": "NetworkLikePhoto"], sources: asked.sources())
        }
    }

    @Test("the sample is a server")
    func server() async throws {
        try PhotoPlugs.plug(allMemory, sources: Asked().sources())
        try await serving(Server { PhotoPlugs.actions }) { url, _ in
            let client = Client(url)
            let mir = try await client.send(PostPhoto.self, .init(title: "Mir"))
            #expect(mir == Photo(id: 43, title: "Mir"))
            #expect(try await client.send(GetPhoto.self, .init(id: 43)) == mir)
            #expect(try await client.send(ListPhotos.self, .init(after: 42)) == [mir])
            let likes = try await client.send(LikePhoto.self, .init(id: 43, user: "ada"))
            #expect(likes == Likes(photo: 43, likes: 1))
            let none = try await client.send(UnlikePhoto.self, .init(id: 43, user: "ada"))
            #expect(none == Likes(photo: 43, likes: 0))
            #expect(try await client.send(Ping.self) == "pong")
        }
    }

    @Test("two servers, one upstream of the other")
    func upstream() async throws {
        let asked = Asked()
        try await Upstream.serving(Photos(memory: asked.memory)) { upstream, endUpstream in
            var chosen = allMemory
            chosen["LikePhoto"] = "NetworkLikePhoto"
            try PhotoPlugs.plug(chosen, sources: asked.sources(client: Client(upstream)))
            try await serving(Server { LikePhoto.self }) { edge, _ in
                let client = Client(edge)
                for count in 1...3 {
                    let likes = try await client.send(LikePhoto.self, .init(id: 42, user: "ada"))
                    #expect(likes == Likes(photo: 42, likes: count))
                }
                #expect(try await Photos(memory: asked.memory).like(.init(id: 42)).likes == 4)

                let unknown = await #expect(throws: Problem.self) {
                    try await client.send(LikePhoto.self, .init(id: 999_999))
                }
                #expect(unknown == .notFound("there is no photo 999999"))
                let refused = await #expect(throws: Problem.self) {
                    try await client.send(LikePhoto.self, .init(id: 42, user: ""))
                }
                #expect(refused?.status == .unprocessableContent)
                #expect(refused?.errors?.map(\.pointer) == ["/user"])

                await endUpstream()
                let lost = await #expect(throws: Problem.self) {
                    try await client.send(LikePhoto.self, .init(id: 42))
                }
                #expect(lost == .badGateway())
            }
        }
    }
}
