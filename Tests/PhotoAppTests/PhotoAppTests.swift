import ArgumentParser
import BehaviorClient
import Foundation
import HTTPTypes
import Locking
import PhotoContracts
import PlugboardClient
import Testing

@testable import PhotoApp

/// The app's like button without a server: another implementation of the shared contract.
private final class MockLikePhoto: LikePhoto {
    override func perform(_ like: Like) async throws -> Likes { Likes(photo: like.id, likes: 7) }
}

@Suite("The photos' app without a server", .timeLimit(.minutes(5)))
struct PhotoAppTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/app-\(UUID().uuidString)"

    private func options(_ arguments: String...) throws -> AppOptions {
        try AppOptions.parse(arguments + ["--storage", folder, "--url", "https://photos.example"])
    }

    @Test("the like button performs another implementation")
    func plugs() async throws {
        let likes = try await Actions.withPlugs {
            LikePhoto.self <~ MockLikePhoto()
        } operation: {
            try await PhotoID(id: 42).like(as: "ada")
        }
        #expect(likes == Likes(photo: 42, likes: 7))
    }

    @Test("a like whose response is lost is sent again with the same key")
    func likesOnce() async throws {
        let attempts = Locked(0)
        let network = MockTransport { _, _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            guard attempt > 2 else { throw ClientError(.unreachable, "the response was lost") }
            return try .json(Likes(photo: 42, likes: 1))
        }
        let app = AppServices(try options(), network: network)
        let likes = try await app.client.send(LikePhoto.self, .init(id: 42))
        #expect(likes == Likes(photo: 42, likes: 1))
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let keys = network.requests.map { $0.request.headerFields[name] }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys[0] != nil)
    }

    @Test("a photo is shown from the disk if the server can't be reached")
    func offline() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let isCut = Locked(false)
        let network = MockTransport { _, _ in
            guard !isCut.withLock({ $0 }) else { throw ClientError(.unreachable, "cut") }
            let fields: HTTPFields = [.eTag: "\"1\"", .contentType: "application/json"]
            return .init(
                HTTPResponse(status: .ok, headerFields: fields),
                body: Array(#"{"id": 42, "title": "Earthrise", "camera": "Hasselblad"}"#.utf8)
            )
        }
        let client = AppServices(try options(), network: network).client
        for cut in [false, true] {
            isCut.withLock { $0 = cut }
            let view: PhotoView = try await client.get("/photos/42")
            #expect(view.identifier == 42 && view.title == "Earthrise")
            #expect(view.description.contains("Hasselblad"), "the view leaves the rest as it is")
        }
    }

    @Test("the token's file is read at the first request and again after a 401, and no other time")
    func token() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/token"
        try Data("old\n".utf8).write(to: URL(filePath: file))
        let network = MockTransport { request, _ in
            guard request.headerFields[.authorization] == "Bearer new" else {
                try Data("new\n".utf8).write(to: URL(filePath: file))
                return .status(.unauthorized)
            }
            return try .json(Photo(id: 1, title: "Sea"))
        }
        let client = AppServices(try options("--token-file", file), network: network).client
        for _ in 0..<2 { _ = try await client.send(GetPhoto.self, .init(id: 1)) }
        let tokens = network.requests.map { $0.request.headerFields[.authorization] }
        #expect(tokens == ["Bearer old", "Bearer new", "Bearer new"])
        let missing = try options("--token-file", file + "-missing")
        await #expect(throws: TokenFile.Unreadable.self) {
            try await AppServices(missing, network: network).client
                .send(GetPhoto.self, .init(id: 1))
        }
    }

    @Test("a recording replays the screens without a network")
    func replay() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/recording.json"
        let network = MockTransport { _, _ in
            let body = #"{"info": {"title": "Photos", "version": "2"}, "paths": {"/a": {}}}"#
            let fields: HTTPFields = [.contentType: "application/json"]
            let head = HTTPResponse(status: .ok, headerFields: fields)
            return .init(head, body: Array(body.utf8))
        }
        let recorded = AppServices(try options("--record", file), network: network)
        _ = try await recorded.client.send(ServerDescription())
        try recorded.writeRecording()
        let client = try AppServices(options("--replay", file)).client
        let server = try await client.send(ServerDescription())
        #expect(server.info.text == "Photos 2" && server.pathCount == 1)
        await #expect(throws: ClientError.self) { try await client.send(ServerDescription()) }
        #expect(throws: (any Error).self) { try AppServices(options("--replay", file + "x")) }
    }

    @Test("the behaviors' modules perform; a missing photo is a failure of its function")
    func modules() async throws {
        let document = try BehaviorDocument(
            json: Array(
                #"""
                [{"name": "Banner", "actions": [{"func": "show", "value": "Hello"}]},
                 {"name": "PhotoApp.Gallery", "actions": [
                    {"func": "feature", "value": 1}, {"func": "feature", "value": 2}]}]
                """#.utf8
            )
        )
        let report = await Actions.withPlugs {
            GetPhoto.self <~ { (photo: PhotoID) in
                guard photo.id == 1 else { throw Problem.notFound("there is no photo") }
                return Photo(id: 1, title: "Sea")
            }
        } operation: {
            await AppModules.catalog.perform(document)
        }
        #expect(report.performed.count == 2 && report.failed.count == 1)
        let bundled = try BehaviorDocument(json: Array(AppModules.bundled.utf8))
        #expect(await AppModules.catalog.perform(bundled).skipped.isEmpty)
    }

    @Test("options out of range and options that exclude each other are usage errors")
    func usage() {
        #expect(throws: (any Error).self) { try options("--timeout", "0") }
        #expect(throws: (any Error).self) { try options("--timeout", "601") }
        #expect(throws: (any Error).self) { try options("--record", "a", "--replay", "b") }
    }

    @Test("errors are words with the next step, without types of Swift")
    func words() {
        let errors: [(any Error, String)] = [
            (ClientError(.unreachable, "a.example cannot be reached"), "Check the network"),
            (ClientError(.timedOut, "late"), "Try again later"),
            (Problem.notFound("there is no photo 9"), "there is no photo 9"),
            (CancellationError(), "Cancelled"),
        ]
        for (error, text) in errors { #expect(Terminal.words(error).contains(text)) }
    }
}
