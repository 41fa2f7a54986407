import PhotoContracts
import HTTPTypes
import Plug
import PlugHTTP
import Testing

@testable import Photos

@Suite("Watching the likes of a photo", .timeLimit(.minutes(5)))
struct WatchLikesTests {
    /// A store with its `WatchLikes` and its other actions.
    private struct Watched {
        let watch: @Sendable (Int) async throws -> AsyncThrowingStream<Likes, any Error>
        let photos: Photos
    }

    private func using(_ store: Store, _ body: (Watched) async throws -> Void) async throws {
        if store == .memory {
            let photos = MemoryPhotos()
            let watched = Watched(
                watch: { try await MemoryWatchLikes(photos: photos).perform(.init(id: $0)) },
                photos: Photos(memory: photos)
            )
            try await body(watched)
        } else {
            let folder = try TemporaryFolder()
            let photos = PhotoDatabase(folder: folder.path)
            let watched = Watched(
                watch: { try await DatabaseWatchLikes(photos: photos).perform(.init(id: $0)) },
                photos: Photos(database: photos)
            )
            try await body(watched)
        }
    }

    @Test("streams the current number, then each new one", arguments: [Store.memory, .database])
    func follows(store: Store) async throws {
        try await using(store) { watched in
            _ = try await watched.photos.like(.init(id: 42))
            var likes = try await watched.watch(42).makeAsyncIterator()
            #expect(try await likes.next() == Likes(photo: 42, likes: 1))
            _ = try await watched.photos.like(.init(id: 42, user: "ada"))
            #expect(try await likes.next() == Likes(photo: 42, likes: 2))
            _ = try await watched.photos.like(.init(id: 7))
            _ = try await watched.photos.unlike(.init(id: 42))
            #expect(try await likes.next() == Likes(photo: 42, likes: 1))
        }
    }

    @Test("a slow reader gets the newest number", arguments: [Store.memory, .database])
    func newest(store: Store) async throws {
        try await using(store) { watched in
            var likes = try await watched.watch(42).makeAsyncIterator()
            for _ in 0..<50 { _ = try await watched.photos.like(.init(id: 42)) }
            var read = 0
            while let number = try await likes.next()?.likes {
                read += 1
                if number == 50 { break }
            }
            #expect(read == 1)
        }
    }

    @Test("an unknown photo is a 404", arguments: [Store.memory, .database])
    func missing(store: Store) async throws {
        try await using(store) { watched in
            let problem = await #expect(throws: Problem.self) { _ = try await watched.watch(43) }
            #expect(problem?.status == .notFound)
        }
    }

    @Test("a cancelled stream is removed from the watchers")
    func forgotten() async throws {
        let photos = MemoryPhotos()
        do {
            let likes = try await MemoryWatchLikes(photos: photos).perform(.init(id: 42))
            #expect(photos.watchers(of: 42) == 1)
            let task = Task { for try await _ in likes {} }
            task.cancel()
            _ = await task.result
        }
        #expect(photos.watchers(of: 42) == 0)
    }
}
