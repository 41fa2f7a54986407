import Foundation
import GRDB
import HTTPServer
import Plug
import PlugHTTP
import Plugboard
import TestDatabase
import Testing

private class Unplugged: Action<Void, Int> {}
private class UnpluggedToo: Action<Void, Int> {}
private class Plugged: Action<Void, Int> {}
private struct Id: Codable, Sendable { var id: Int }
private struct Name: Codable, Sendable { var name: String }
private class GetA: Action<Id, Int>, GET { static var path: String { "/a/{id}" } }
private class PostA: Action<Name, Int>, POST { static var path: String { "/a/{name}" } }
private class GetAByName: Action<Name, Int>, GET { static var path: String { "/a/{name}" } }
private class PostAById: Action<Id, Int>, POST { static var path: String { "/a/{id}" } }
private class NoSlash: Action<Void, Int>, GET { static var path: String { "a" } }
private class Twice: Action<Id, Int>, GET { static var path: String { "/{id}/{id}" } }
private class Upload: Action<RequestBody, Int>, POST {
    static var path: String { "/photos/{id}/image" }
}
private class Documents: Action<Void, Int>, GET {
    static var path: String { "/behaviors.json" }
}

@Suite("Start-up of a server")
struct ServerStartTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
        Plugged.self <~ { 1 }
        GetA.self <~ { $0.id }
        PostA.self <~ { $0.name.count }
        GetAByName.self <~ { $0.name.count }
        PostAById.self <~ { $0.id }
        NoSlash.self <~ { 1 }
        Twice.self <~ { $0.id }
        Documents.self <~ { 1 }
        Upload.self <~ { _ in 1 }
    }

    /// A server's start-up errors; empty if it starts.
    private func problems(_ server: Server) async -> [String] {
        do {
            try await serving(server) { _ in }
            return []
        } catch let error as StartError {
            return error.problems
        } catch {
            return ["not a StartError: \(error)"]
        }
    }

    @Test(
        "a data folder of another version is rejected, and nothing is written to it",
        arguments: ["tokens 2", "idempotency 2", "idempotency: claims", "plugs 2", "behaviors 3"]
    )
    func otherVersion(migration: String) async throws {
        try folder.write("data/none", "")
        let path = folder["data/plugboard.sqlite"]
        try await DatabaseQueue.beside(path).write { database in
            try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL)")
            try database.execute(
                sql: "INSERT INTO grdb_migrations VALUES (?)",
                arguments: [migration]
            )
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var server = Server { Plugged.self }
        server.configuration.dataFolder = folder["data"]
        let reason =
            "\(path) has the migration \"\(migration)\", which this version doesn't know; start the "
            + "version that wrote it, or choose another folder"
        #expect(
            await problems(server) == ["the database in \(folder["data"]) can't be used: \(reason)"]
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("an action with a RequestBody can't have variables in its path")
    func streams() async {
        let server = Server {
            Upload.self
        }
        #expect(
            await problems(server) == [
                "Upload takes a RequestBody and can't read {id} of POST /photos/{id}/image"
            ]
        )
    }

    @Test("timeouts are limited to a second at least and a year at most")
    func seconds() async {
        var server = Server { Plugged.self }
        server.configuration.idleTimeout = .max
        server.configuration.drainTimeout = .max
        server.configuration.headTimeout = -1
        server.configuration.writeTimeout = 0
        #expect(await problems(server) == [])
    }

    @Test("unplugged actions are listed in one error")
    func unplugged() async {
        let server = Server {
            Unplugged.self
            Plugged.self
            UnpluggedToo.self
        }
        let problems = await problems(server)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("nothing is plugged to Unplugged, UnpluggedToo:") == true)
        #expect(problems.first?.contains("Unplugged.self <~ MyUnplugged()") == true)
        #expect(problems.first?.contains("Plugged, Plugged") == false)
    }

    @Test("two actions with the same method and path are an error with their names")
    func conflict() async {
        let same = await problems(
            Server {
                GetA.self
                GetAByName.self
            }
        )
        #expect(same == ["GetAByName and GetA are both GET /a/{name}"])
        let twice = await problems(
            Server {
                GetA.self
                GetA.self
            }
        )
        #expect(twice == ["GetA and GetA are both GET /a/{id}"])
    }

    @Test("a conflict is found even if another action's path has different variable names")
    func hiddenConflict() async {
        let problems = await problems(
            Server {
                GetA.self
                PostA.self
                PostAById.self
            }
        )
        #expect(problems.first == "PostAById and PostA are both POST /a/{id}")
    }

    @Test("an invalid path is an error with the reason")
    func invalidPath() async {
        let problems = await problems(
            Server {
                NoSlash.self
                Twice.self
            }
        )
        #expect(
            problems == [
                #"NoSlash: The path "a" cannot be used: it must start with "/"."#,
                #"Twice: The path "/{id}/{id}" cannot be used: {id} is in it twice."#,
            ]
        )
    }

    @Test("an action can't have the behavior document's route")
    func behaviorsPath() async {
        let alone = await problems(Server { Documents.self })
        #expect(alone == [])
        let both = await problems(
            Server(behaviors: .file(folder["behaviors.json"])) { Documents.self }
        )
        #expect(both.count == 1)
        #expect(both.first?.contains("Documents and the behavior document") == true)
    }

    @Test("a public folder that is missing or is a file is an error with its path")
    func publicFolder() async {
        for name in ["nowhere", "behaviors.json"] {
            var server = Server()
            server.configuration.publicFolder = folder[name]
            let problems = await problems(server)
            #expect(problems.count == 1)
            #expect(
                problems.first?.contains("can't serve the folder \(folder[name])") == true
            )
        }
    }

    @Test("private files in the public folder are errors with both paths, also through links")
    func publishedFiles() async throws {
        try folder.write("public/page.txt", "a page")
        try folder.write("public/keys.json", #"{"keys":[{"kty":"oct","k":"AA"}]}"#)
        try folder.link("link", to: "public")
        for place in ["public", "link", "public/new", "link/new/../x"].map({ folder[$0] }) {
            for served in [folder["public"], folder["link"]] {
                var server = Server { Plugged.self }
                server.configuration.publicFolder = served
                server.configuration.dataFolder = place
                server.configuration.documents = .folder(place + "/behaviors")
                server.configuration.tls = .init(
                    .files(certificate: place + "/cert.pem", key: place + "/tls-key.pem")
                )
                server.configuration.auditHead = .init(
                    path: place + "/head.json",
                    key: place + "/audit-key.pem"
                )
                server.configuration.optionsFile = place + "/options.json"
                server.configuration.host = "unix:\(place)/socket"
                server.configuration.webTokens = .init(
                    keys: .file(folder["link/keys.json"]),
                    issuer: "i",
                    audiences: "a"
                )
                let problems = await problems(server).filter {
                    $0.contains("is in the public folder")
                }
                #expect(problems.count == 8)
                for part in [
                    place, "behaviors", "tls-key.pem", "audit-key.pem", "head.json", "socket",
                    "options.json", "keys.json", served,
                ] { #expect(problems.contains { $0.contains(part) }, "\(part)") }
                #expect(problems.allSatisfy { $0.contains("configuration.publicFolder") })
            }
        }
    }

    @Test("private files beside the public folder are no error")
    func unpublishedFiles() async throws {
        try folder.write("data/public/page.txt", "a page")
        for data in ["data", "data/public2", "data/public/../x"] {
            var server = Server { Plugged.self }
            server.configuration.publicFolder = folder["data/public"]
            server.configuration.dataFolder = folder[data]
            server.configuration.optionsFile = folder["public.json"]
            #expect(await problems(server) == [])
        }
    }

    @Test("a missing behavior document is an error with its path")
    func missingBehaviors() async {
        let problems = await problems(Server(behaviors: .file(folder["nowhere.json"])))
        #expect(problems == ["\(folder["nowhere.json"]): No such file or directory"])
    }

    @Test("a server starts without the document's file if its store has that document")
    func behaviorsOfTheStore() async throws {
        let place = try BehaviorsPlace()
        let fields = try await place.fields()
        func put(_ name: String) async throws {
            try await serving(place.server()) { site in
                let put = try await site.send(
                    "PUT",
                    "/behaviors/\(name)",
                    fields: fields,
                    body: BehaviorsPlace.first
                )
                #expect(put.status == 201)
            }
        }
        try await put("other")
        try FileManager.default.removeItem(atPath: place.folder["behaviors.json"])
        #expect(await problems(place.server()).count == 1)
        try place.folder.write("behaviors.json", "[]")
        try await put("default")
        for text in [nil, "nonsense"] {
            try? FileManager.default.removeItem(atPath: place.folder["behaviors.json"])
            if let text { try place.folder.write("behaviors.json", text) }
            try await serving(place.server()) { site in
                let served = try await site.get("/behaviors.json")
                #expect(served.text == BehaviorsPlace.first)
            }
        }
    }

    @Test("an invalid behavior document is an error with line and column")
    func invalidBehaviors() async throws {
        let text = try folder.write("text.json", "[\n  {\"name\": oops}\n]")
        #expect(
            await problems(Server(behaviors: .file(text)))
                == ["\(text): line 2, column 12: /0/name: expected a value"]
        )
        let shape = try folder.write("shape.json", "[\n  {\"name\": 5, \"actions\": []}\n]")
        #expect(
            await problems(Server(behaviors: .file(shape)))
                == ["\(shape): line 2, column 12: /0/name: expected a string"]
        )
    }

    @Test("a port in use is an error with the address")
    func portInUse() async throws {
        try await serving(Server()) { site in
            for loops in [1, 2] {
                var other = Server()
                other.configuration.port = site.port
                other.configuration.loops = loops
                do {
                    let running = try other.start()
                    running.http.drain()
                    Issue.record("two servers on one port")
                } catch let error as StartError {
                    #expect(error.problems.count == 1)
                    #expect(
                        error.description.contains("can't listen on \(site.url)")
                            && error.description.contains("in use")
                    )
                }
            }
        }
    }

    @Test("a host without an address is an error")
    func unknownHost() async {
        var server = Server()
        server.configuration.host = "no host"
        let problems = await problems(server)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("can't listen on no host") == true)
    }

    @Test("all start-up errors are reported at once")
    func allAtOnce() async throws {
        var server = Server(behaviors: .file(try folder.write("bad.json", "{}"))) {
            Unplugged.self
            NoSlash.self
            GetA.self
            GetAByName.self
        }
        server.configuration.publicFolder = folder["nowhere"]
        let problems = await problems(server)
        #expect(problems.count == 5)
        for part in [
            "nothing is plugged to Unplugged", "NoSlash:", "both GET /a/{name}", "nowhere",
            "bad.json: line 1, column 1: /modules: missing",
        ] {
            #expect(problems.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test("a Unix domain socket is served, and removed when the server ends")
    func unixSocket() async throws {
        var server = Server { Plugged.self }
        server.configuration.host = "unix:" + folder["socket"]
        server.configuration.loops = 2
        let running = try server.start()
        #expect(running.addresses.map(\.description) == ["unix:" + folder["socket"]])
        #expect(FileManager.default.fileExists(atPath: folder["socket"]))
        running.http.drain()
        await running.http.waitUntilStopped()
        #expect(!FileManager.default.fileExists(atPath: folder["socket"]))
    }

    @Test("a start that fails after opening its socket removes the socket's file")
    func failedUnixSocket() async throws {
        try await serving(Server()) { site in
            var server = Server { Plugged.self }
            server.configuration.host = "unix:" + folder["socket"]
            server.configuration.operations = .init()
            server.configuration.operations?.port = site.port
            #expect(throws: StartError.self) { try server.start() }
            #expect(!FileManager.default.fileExists(atPath: folder["socket"]))
        }
    }
}
