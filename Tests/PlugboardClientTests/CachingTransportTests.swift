import Foundation
import HTTPTypes
import Locking
import PlugboardClient
import Testing

@Suite("Responses stored on disk")
struct CachingTransportTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/cache-\(UUID().uuidString)"

    private func request(_ path: String, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "a.example",
            path: path,
            headerFields: fields
        )
    }

    /// A server whose resources have the tag and body of `version`, and these further fields.
    private func server(
        _ version: Locked<Int>,
        _ fields: HTTPFields = [:],
        size: Int = 10
    ) -> MockTransport {
        MockTransport { request, _ in
            let number = version.withLock { $0 }
            var head = HTTPResponse(status: .ok, headerFields: fields)
            head.headerFields[.eTag] = "\"\(number)\""
            if request.headerFields[.ifNoneMatch] == "\"\(number)\"" {
                head.status = .notModified
                return .init(head)
            }
            let user = request.headerFields[.authorization] ?? ""
            let text = "\(number) \(user) \(request.path ?? "")"
            return .init(head, body: Array(text.utf8) + [UInt8](repeating: 0, count: size))
        }
    }

    private func send(
        _ transport: CachingTransport,
        _ path: String = "/a",
        _ fields: HTTPFields = [:]
    ) async throws -> String {
        let (response, body) = try await transport.send(request(path, fields), body: [])
        #expect(response.status == .ok)
        return String(decoding: body.filter { $0 != 0 }, as: UTF8.self)
    }

    @Test("a 304 becomes the stored response, also in a later process; a change replaces it")
    func revalidated() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let version = Locked(1)
        let server = server(version)
        for _ in 0..<3 {
            #expect(try await send(CachingTransport(server, folder: folder)) == "1  /a")
        }
        let tags = server.requests.map { $0.request.headerFields[.ifNoneMatch] }
        #expect(tags == [nil, "\"1\"", "\"1\""])
        version.withLock { $0 = 2 }
        for _ in 0..<2 {
            #expect(try await send(CachingTransport(server, folder: folder)) == "2  /a")
        }
        #expect(server.requests.last?.request.headerFields[.ifNoneMatch] == "\"2\"")
    }

    @Test("other credentials, fields and URLs have other entries")
    func keys() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let transport = CachingTransport(server(Locked(1)), folder: folder)
        for _ in 0..<2 {
            for user in ["secret-ada", "secret-bob"] {
                let text = try await send(transport, "/a", [.authorization: user])
                #expect(text == "1 \(user) /a")
            }
            #expect(try await send(transport, "/b") == "1  /b")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            #expect(!text.contains("secret"))
            #expect(!name.contains("secret"))
        }
    }

    @Test(
        "a response that must not be stored isn't",
        arguments: [[.cacheControl: "private, No-Store"], [.vary: "*"]] as [HTTPFields]
    )
    func forbidden(fields: HTTPFields) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = server(Locked(1), fields)
        let transport = CachingTransport(server, folder: folder)
        for _ in 0..<2 { _ = try await send(transport) }
        #expect(server.requests.allSatisfy { $0.request.headerFields[.ifNoneMatch] == nil })
    }

    @Test("a 304's fields are stored; one that forbids storing removes the entry (RFC 9111 §4.3.4)")
    func updated() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fields = Locked<HTTPFields>([.expires: "first", .age: "9", .contentLanguage: "lv"])
        let server = MockTransport { request, _ in
            var head = HTTPResponse(status: .ok, headerFields: fields.withLock { $0 })
            head.headerFields[.eTag] = "\"1\""
            if request.headerFields[.ifNoneMatch] == "\"1\"" { head.status = .notModified }
            return .init(head, body: head.status == .ok ? Array("a".utf8) : [])
        }
        func send() async throws -> HTTPFields {
            let transport = CachingTransport(server, folder: folder)
            let (response, body) = try await transport.send(request("/a"), body: [])
            #expect(body == Array("a".utf8))
            return response.headerFields
        }
        #expect(try await send()[.age] == "9")
        fields.withLock { $0 = [.expires: "second"] }
        for _ in 0..<2 {
            let received = try await send()
            #expect(received[.expires] == "second" && received[.contentLanguage] == "lv")
            #expect(received[.age] == nil, "the age of an earlier response")
            fields.withLock { $0 = [:] }
        }
        fields.withLock { $0 = [.cacheControl: "no-store"] }
        _ = try await send()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("the folder stays within its limit; the least recently used entries are removed")
    func limit() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = server(Locked(1), size: 1_000)
        let transport = CachingTransport(server, folder: folder, maximumBytes: 10_000)
        for number in 0..<50 { _ = try await send(transport, "/\(number)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let size = try names.reduce(0) { sum, name in
            sum + (try Data(contentsOf: URL(filePath: folder + "/" + name)).count)
        }
        #expect(size <= 10_000)
        #expect((4...9).contains(names.count))
        _ = try await send(transport, "/49")
        #expect(server.requests.last?.request.headerFields[.ifNoneMatch] == "\"1\"")
        _ = try await send(transport, "/0")
        #expect(server.requests.last?.request.headerFields[.ifNoneMatch] == nil)
    }

    @Test("a broken entry and an unusable folder count as absent")
    func broken() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let transport = CachingTransport(server(Locked(1)), folder: folder)
        _ = try await send(transport)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try Data("{".utf8).write(to: URL(filePath: folder + "/" + name))
        }
        #expect(try await send(transport) == "1  /a")
        let nowhere = CachingTransport(server(Locked(1)), folder: "/dev/null/cache")
        #expect(try await send(nowhere) == "1  /a")
    }
}
