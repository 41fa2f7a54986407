import HTTPServer
import Logging
import Plugboard

/// A server that has started on a port of its own, and a client of it.
struct Site: Sendable {
    let running: RunningServer
    let port: UInt16

    var url: String { "http://127.0.0.1:\(port)" }

    /// Sends one request on a connection of its own, and reads its answer.
    func send(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: String? = nil
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += fields.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        let received = try await exchange(request, port: port)
        return try Answer(received, toHEAD: method == "HEAD")
    }

    /// Sends a request whose body comes in chunks.
    func send(
        _ method: String,
        _ target: String,
        fields: [(String, String)],
        chunks: [String]
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += fields.map { "\($0.0): \($0.1)" }
        var request = lines.joined(separator: "\r\n") + "\r\n\r\n"
        for chunk in chunks {
            request += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n"
        }
        return try Answer(await exchange(request + "0\r\n\r\n", port: port))
    }

    func get(_ target: String, _ fields: (String, String)...) async throws -> Answer {
        try await send("GET", target, fields: fields)
    }

    var operationsPort: UInt16 {
        get throws {
            guard case .tcp(_, let port) = running.operations?.addresses.first else {
                throw HarnessError("no operations port")
            }
            return port
        }
    }

    /// Asks the operations port.
    func operations(_ target: String, _ fields: (String, String)...) async throws -> Answer {
        let site = Site(running: running, port: try operationsPort)
        return try await site.send("GET", target, fields: fields)
    }

    /// The value of a sample on the page of metrics; nil if there is none.
    func metric(_ sample: String) async throws -> Double? {
        let page = try await operations("/metrics").text
        return page.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .flatMap { Double($0.dropFirst(sample.utf8.count + 1)) }
    }

    /// Puts JSON.
    func put(_ target: String, _ json: String) async throws -> Answer {
        let fields = [("Content-Type", "application/json")]
        return try await send("PUT", target, fields: fields, body: json)
    }

    /// Posts JSON.
    func post(
        _ target: String,
        _ json: String,
        _ fields: [(String, String)] = []
    ) async throws -> Answer {
        try await send(
            "POST",
            target,
            fields: [("Content-Type", "application/json")] + fields,
            body: json
        )
    }
}

/// Starts a server on a port that the system chooses, and ends it after `body`.
func serving(_ server: Server, _ body: (Site) async throws -> Void) async throws {
    var server = server
    server.configuration.port = 0
    server.configuration.loops = 1
    let running = try server.start()
    guard case .tcp(_, let port) = running.addresses.first else {
        throw HarnessError("not on TCP: \(running.addresses)")
    }
    do {
        try await body(Site(running: running, port: port))
    } catch {
        running.drain()
        await running.http.waitUntilStopped()
        await running.endOperations()
        throw error
    }
    running.drain()
    await running.http.waitUntilStopped()
    await running.endOperations()
}

/// An error of the test's own set-up.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
