import PhotoContracts
import PlugboardCommand
import ExclusivePlugs
import HTTPTypes
@testable import Photos
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Testing

@Suite("The photos' plugs", .exclusivePlugs)
struct PhotoPlugsTests {
    private let memory = MemoryPhotos()

    private func sources(
        database: PhotoDatabase = PhotoDatabase(folder: "/nowhere"),
        network: Client? = nil
    ) -> PhotoPlugs.Sources {
        .init(database: database, memory: memory, network: network)
    }

    private let actions = [
        "ListPhotos", "GetPhoto", "PostPhoto", "LikePhoto", "UnlikePhoto", "WatchLikes",
    ]

    private var allMemory: [String: String] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0, "memory") })
    }

    /// Returns the server of the command with these arguments.
    private func server(_ arguments: String...) throws -> Server {
        try PhotoServer.parse(arguments).server(Server.Configuration())
    }

    @Test("an unknown action or implementation is an error that lists the known ones")
    func unknown() throws {
        let none = #expect(throws: UnknownPlug.self) {
            try PhotoPlugs.plug(["LikeFoto": "memory"], sources())
        }
        #expect(none?.description == "there is no action LikeFoto")
        let other = #expect(throws: UnknownPlug.self) {
            try PhotoPlugs.plug(["LikePhoto": "network"], sources())
        }
        #expect(
            other?.description
                == "LikePhoto has no implementation network: choose database, memory, or network "
                + "with --upstream"
        )
    }

    @Test(
        "invalid options are errors",
        arguments: [
            (["--plug", "LikePhoto"], "ACTION=IMPLEMENTATION"), (["--plug", "=a"], "ACTION"),
            (["--upstream", "ftp://a"], "http://"), (["--upstream", "http://a:b@c"], "password"),
        ]
    )
    func invalid(arguments: [String], said: String) {
        let error = #expect(throws: (any Error).self) { try PhotoServer.parse(arguments) }
        #expect(error.map { PhotoServer.message(for: $0).contains(said) } == true)
    }

    @Test("an action that isn't chosen uses the database")
    func database() async throws {
        let folder = try TemporaryFolder()
        let database = PhotoDatabase(folder: folder.path)
        #expect(try PhotoPlugs.plug([:], sources(database: database)) == actions)
        #expect(try await action(LikePhoto.self, .init(id: 42)).likes == 1)
        #expect(try await Photos(database: database).like(.init(id: 42)).likes == 2)
        #expect(try await action(Ping.self) == "pong")
    }

    @Test("an implementation is named by its kind or by its type")
    func names() async throws {
        for name in ["memory", "MemoryLikePhoto"] {
            var chosen = allMemory
            chosen["LikePhoto"] = name
            #expect(try PhotoPlugs.plug(chosen, sources()) == [])
            #expect(try await action(LikePhoto.self, .init(id: 42)).likes > 0)
        }
    }

    @Test("the example runs as a server")
    func server() async throws {
        let example = try server("--plug", "ListPhotos=memory")
        #expect(example.actions.map(\.name) == actions + ["Ping"])
        #expect(
            example.actions.map(\.route) == [
                "GET /photos", "GET /photos/{id}", "POST /photos", "POST /photos/{id}/like",
                "DELETE /photos/{id}/like", "GET /photos/{id}/likes", "POST /actions/Ping",
            ]
        )
        _ = try PhotoPlugs.plug(allMemory, sources())
        var served = example
        served.preparation = nil
        served.configuration = Server.Configuration()
        try await serving(served) { url, _ in
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

    @Test("a server can be upstream of another one")
    func upstream() async throws {
        try await Upstream.serving(Photos(memory: memory)) { upstream, endUpstream in
            var chosen = allMemory
            chosen["LikePhoto"] = "network"
            _ = try PhotoPlugs.plug(chosen, sources(network: Client(upstream)))
            try await serving(Server { LikePhoto.self }) { edge, _ in
                let client = Client(edge)
                for count in 1...3 {
                    let likes = try await client.send(LikePhoto.self, .init(id: 42, user: "ada"))
                    #expect(likes == Likes(photo: 42, likes: count))
                }
                #expect(try await Photos(memory: memory).like(.init(id: 42)).likes == 4)

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
