import System
import Glibc
import Logging

@testable import HTTPServer

extension SocketAddress {
    /// Any free port of this machine alone.
    static let any = SocketAddress.tcp(host: "127.0.0.1", port: 0)
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// A server of this process, on a port of its own or a Unix socket.
struct TestServer {
    let server: HTTPServer
    let stage: Stage
    var address: SocketAddress { server.addresses[0] }

    init(
        _ address: SocketAddress = .any,
        stage: Stage = Stage(),
        tls: TLSContext? = nil,
        _ configure: (inout HTTPConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPConfiguration()
        // What a test doesn't ask for doesn't happen, however long the machine is busy elsewhere.
        configuration.headTimeout = 300
        configuration.bodyTimeout = 300
        configuration.idleTimeout = 300
        configuration.writeTimeout = 300
        configuration.lingerTimeout = 60
        configuration.drainTimeout = 60
        configuration.minimumIdle = 300_000
        configure(&configuration)
        server = try HTTPServer(
            address: address,
            configuration: configuration,
            tls: tls,
            logger: .silent
        ) {
            TestResponder(stage)
        }
        self.stage = stage
        try server.start()
    }

    func client(receiveBuffer: CInt? = nil) throws -> TestClient {
        try TestClient(address, receiveBuffer: receiveBuffer)
    }

    /// Lets the loop turn several times: what it could do for its other connections it has done.
    func turn() throws {
        let client = try client()
        for _ in 0..<20 {
            try client.send("GET /turn HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.answer()
        }
    }

    /// Has a server of one loop drain, and returns when it does.
    ///
    /// It closes a connection between two requests at once.
    func drain() throws {
        let idle = try client()
        try idle.send("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try idle.answer()
        server.drain()
        _ = try idle.readToEnd()
    }

    func stop() async {
        server.drain()
        await server.waitUntilStopped()
    }
}

/// Runs `body` with a server, and stops that in any case.
func withServer(
    _ address: SocketAddress = .any,
    stage: Stage = Stage(),
    tls: TLSContext? = nil,
    _ configure: (inout HTTPConfiguration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
) async throws {
    let server = try TestServer(address, stage: stage, tls: tls, configure)
    do {
        try await body(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// As `withServer`, on a Unix socket, where a client can tell what the server has read and where
/// the kernel's buffers are small.
func withUnixServer(
    stage: Stage = Stage(),
    _ configure: (inout HTTPConfiguration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
) async throws {
    try await withFolder { folder in
        try await withServer(.unix(path: folder + "/socket"), stage: stage, configure, body)
    }
}

/// Lets a loop's clock run on by as many seconds: an idle connection's close tells.
func pass(seconds: Int) throws {
    let server = try TestServer { $0.idleTimeout = seconds }
    defer { server.server.drain() }
    _ = try server.client().readToEnd()
}

/// Runs `body` with the path of a new folder, which is removed with the files in it.
func withFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/plugboard-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
        for name in ["socket", "file", "cert", "key", "cert1", "key1", "authorities", "revoked"] {
            unlink("\(path)/\(name)")
        }
        rmdir(path)
    }
    try await body(path)
}

/// Runs `body` with a stage whose file has these bytes, and with the file's path.
func withFile(_ bytes: [UInt8], _ body: (Stage, String) async throws -> Void) async throws {
    try await withFolder { folder in
        let path = folder + "/file"
        let raw = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw SystemError("open") }
        let file = FileDescriptor(raw)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(raw, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemError("write") }
            written += count
        }
        try await body(Stage(file: file), path)
    }
}

/// A GET with more fields, if there are any.
func get(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}

/// A POST's head.
func post(_ path: String, _ fields: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
}
