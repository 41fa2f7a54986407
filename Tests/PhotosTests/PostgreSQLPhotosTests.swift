@testable import Photos
import PhotoContracts
import PlugHTTP
import PostgreSQL
import TestDatabase
import Testing

@Suite(
    "Photos in PostgreSQL",
    .enabled(if: SharedPhotos.url != nil, "Tests/run starts a PostgreSQL")
)
struct PostgreSQLPhotosTests {
    @Test("a photo that one server adds is found by another")
    func shared() async throws {
        let shared = try await SharedPhotos()
        let (one, other) = (try shared.open(), try shared.open())
        let added = try await one.add(title: "Mir")
        #expect(added.id == 43)
        #expect(try await other.photo(43) == added)
        #expect(try await other.list(limit: 100, after: 7).map(\.id) == [42, 43])
    }

    @Test("concurrent likes by several servers all count")
    func likes() async throws {
        let shared = try await SharedPhotos()
        let servers = [try shared.open(), try shared.open(), try shared.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    _ = try await servers[number % 3].changeLikes(
                        of: 42,
                        by: 1,
                        user: number.isMultiple(of: 2) ? "ada" : nil
                    )
                }
            }
            try await group.waitForAll()
        }
        let likes = try await servers[0].changeLikes(of: 42, by: -1, user: "ada")
        #expect(likes == Likes(photo: 42, likes: 59))
    }

    @Test("a stream gets the likes of all servers, and never an older number after a newer one")
    func watch() async throws {
        let shared = try await SharedPhotos()
        let (one, other) = (try shared.open(), try shared.open())
        _ = try await other.changeLikes(of: 42, by: 1, user: nil)
        var numbers = try await one.watchLikes(of: 42).makeAsyncIterator()
        #expect(try await numbers.next()?.likes == 1)
        for _ in 0..<20 { _ = try await other.changeLikes(of: 42, by: 1, user: nil) }
        var last = 1
        while last < 21, let next = try await numbers.next() {
            #expect(next.likes >= last)
            last = next.likes
        }
        #expect(last == 21)
    }

    @Test("a stream gets the newest number after its connection was lost")
    func lostConnection() async throws {
        let shared = try await SharedPhotos()
        let (one, other) = (try shared.open(), try shared.open())
        var numbers = try await one.watchLikes(of: 42).makeAsyncIterator()
        #expect(try await numbers.next()?.likes == 0)
        let client = try PostgreSQLClient(shared.url, .patient)
        try await client.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE 'LISTEN "photos_likes"%' AND pid <> pg_backend_pid()
            """
        )
        _ = try await other.changeLikes(of: 42, by: 1, user: nil)
        while let next = try await numbers.next(), next.likes < 1 {}
    }

    @Test("a stream of a missing photo is 404")
    func missing() async throws {
        let photos = try await SharedPhotos().open()
        let problem = await #expect(throws: Problem.self) { _ = try await photos.watchLikes(of: 5) }
        #expect(problem?.status.code == 404)
    }
}
