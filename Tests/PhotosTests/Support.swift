import PhotoContracts
import Foundation
import HTTPServer
import Locking
@testable import Photos
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import PostgreSQL
import TestDatabase

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/plugboard-tests-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Starts a server on a port of the system's choice, and stops it after `body`.
///
/// `body` gets the server's URL and a closure that stops it early.
func serving(
    _ server: Server,
    _ body: (_ url: String, _ end: () async -> Void) async throws -> Void
) async throws {
    var server = server
    server.configuration.port = 0
    server.configuration.loops = 1
    let running = try server.start()
    func end() async {
        running.http.drain()
        await running.http.waitUntilStopped()
    }
    do {
        try await body(running.addresses[0].description, end)
    } catch {
        await end()
        throw error
    }
    await end()
}

/// The five actions on one store.
struct Photos: Sendable {
    let list: @Sendable (ListPhotos.Query) async throws -> [Photo]
    let get: @Sendable (GetPhoto.Input) async throws -> Photo
    let post: @Sendable (PostPhoto.Input) async throws -> Photo
    let like: @Sendable (LikePhoto.Like) async throws -> Likes
    let unlike: @Sendable (LikePhoto.Like) async throws -> Likes

    init(memory photos: MemoryPhotos) {
        list = { try await MemoryListPhotos(photos: photos).perform($0) }
        get = { try await MemoryGetPhoto(photos: photos).perform($0) }
        post = { try await MemoryPostPhoto(photos: photos).perform($0) }
        like = { try await MemoryLikePhoto(photos: photos).perform($0) }
        unlike = { try await MemoryUnlikePhoto(photos: photos).perform($0) }
    }

    init(database photos: PhotoDatabase) {
        list = { try await DatabaseListPhotos(photos: photos).perform($0) }
        get = { try await DatabaseGetPhoto(photos: photos).perform($0) }
        post = { try await DatabasePostPhoto(photos: photos).perform($0) }
        like = { try await DatabaseLikePhoto(photos: photos).perform($0) }
        unlike = { try await DatabaseUnlikePhoto(photos: photos).perform($0) }
    }

    init(postgresql photos: PostgreSQLPhotos) {
        list = { try await PostgreSQLListPhotos(photos: photos).perform($0) }
        get = { try await PostgreSQLGetPhoto(photos: photos).perform($0) }
        post = { try await PostgreSQLPostPhoto(photos: photos).perform($0) }
        like = { try await PostgreSQLLikePhoto(photos: photos).perform($0) }
        unlike = { try await PostgreSQLUnlikePhoto(photos: photos).perform($0) }
    }

    init(network client: Client) {
        list = { try await NetworkListPhotos(network: client).perform($0) }
        get = { try await NetworkGetPhoto(network: client).perform($0) }
        post = { try await NetworkPostPhoto(network: client).perform($0) }
        like = { try await NetworkLikePhoto(network: client).perform($0) }
        unlike = { try await NetworkUnlikePhoto(network: client).perform($0) }
    }
}

/// The stores of the sample's implementations.
enum Store: String, CaseIterable, Sendable {
    case memory, database, postgresql, network

    /// The stores of this machine: Tests/run starts a PostgreSQL if one is installed.
    static let allCases: [Store] =
        [.memory, .database, .network] + (SharedPhotos.url == nil ? [] : [.postgresql])

    /// Runs `body` on a new store.
    func using(_ body: (Photos) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(Photos(memory: MemoryPhotos()))
        case .database:
            let folder = try TemporaryFolder()
            try await body(Photos(database: PhotoDatabase(folder: folder.path)))
        case .postgresql:
            let shared = try await SharedPhotos()
            try await body(Photos(postgresql: shared.open()))
        case .network:
            try await Upstream.serving(Photos(memory: MemoryPhotos())) { url, _ in
                try await body(Photos(network: Client(url)))
            }
        }
    }
}

/// New photos in the tests' PostgreSQL.
struct SharedPhotos {
    /// The database's address; nil if there is none.
    static let url = ProcessInfo.processInfo.environment["PLUGBOARD_TEST_DATABASE"]

    /// The address with a schema of its own.
    let url: String

    init() async throws {
        let name = "photos_\(UInt64.random(in: .min ... .max))"
        let base = Self.url ?? ""
        try await PostgreSQLClient(base, .patient).run(
            SQLStatement(stringLiteral: "CREATE SCHEMA \(name)")
        )
        url = base + "&options=-csearch_path%3D\(name)"
    }

    /// Opens the photos, as one of several servers does.
    func open() throws -> PostgreSQLPhotos {
        PostgreSQLPhotos(try PostgreSQLClient(url, .patient))
    }
}

/// The upstream server's actions, with the sample's routes.
///
/// They are other types, since a test runs both servers in one process and an action has one plug
/// per process.
enum Upstream {
    private class List: Action<ListPhotos.Query, [Photo]>, GET {
        static var path: String { ListPhotos.path }
    }
    private class Get: Action<GetPhoto.Input, Photo>, GET {
        static var path: String { GetPhoto.path }
    }
    private class Post: Action<PostPhoto.Input, Photo>, POST {
        static var path: String { PostPhoto.path }
        static func location(of photo: Photo) -> String? { PostPhoto.location(of: photo) }
    }
    private class Like: Action<LikePhoto.Like, Likes>, POST {
        static var path: String { LikePhoto.path }
    }
    private class Unlike: Action<LikePhoto.Like, Likes>, DELETE {
        static var path: String { UnlikePhoto.path }
    }

    /// Allows one upstream at a time, since plugs are the whole process's.
    private static let turn = Turn()

    static func serving(
        _ photos: Photos,
        _ body: (_ url: String, _ end: () async -> Void) async throws -> Void
    ) async throws {
        await turn.take()
        defer { turn.give() }
        List.self <~ { try await photos.list($0) }
        Get.self <~ { try await photos.get($0) }
        Post.self <~ { try await photos.post($0) }
        Like.self <~ { try await photos.like($0) }
        Unlike.self <~ { try await photos.unlike($0) }
        let server = Server {
            List.self
            Get.self
            Post.self
            Like.self
            Unlike.self
        }
        try await PhotosTests.serving(server, body)
    }
}

/// A first-come, first-served lock that can be held across suspension points.
private final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
