import System
import Glibc
import Testing

@testable import HTTPServer

@Suite("Listening addresses", .blockingClients, .timeLimit(.minutes(5)))
struct ListenerTests {
    @Test("an IPv6 address has brackets in its name (RFC 3986 §3.2.2)")
    func ipv6() async throws {
        let server: TestServer
        do {
            server = try TestServer(.tcp(host: "::1", port: 0))
        } catch let error as SystemError where error.code == EADDRNOTAVAIL {
            return  // This machine has no IPv6.
        }
        #expect(server.address.description.hasPrefix("http://[::1]:"))
        let client = try server.client()
        try client.send(get("/a"))
        #expect(try client.answer().text == "/a")
        await server.stop()
    }

    @Test("a name's addresses all get the same port")
    func name() async throws {
        let server = try TestServer(.tcp(host: "localhost", port: 0)) { $0.loops = 2 }
        for address in server.server.addresses {
            let client = try TestClient(address)
            try client.send(get("/a"))
            #expect(try client.answer().text == "/a")
        }
        await server.stop()
    }

    @Test(
        "a port in use is an error, although several loops share their own",
        arguments: [1, 2],
        [1, 2]
    )
    func taken(first: Int, second: Int) async throws {
        try await withServer(.any, { $0.loops = first }) { server in
            let error = #expect(throws: SystemError.self) {
                try TestServer(server.address) { $0.loops = second }
            }
            #expect(error?.code == EADDRINUSE)
            #expect(
                error?.description == "can't listen on \(server.address): Address already in use"
            )
        }
    }

    @Test("a port can be used again as soon as its server has stopped")
    func again() async throws {
        let first = try TestServer()
        let client = try first.client()
        try client.send(get("/close"))
        #expect(try client.answer().text == "closing")
        #expect(try client.readToEnd() == .closed)
        client.close()
        await first.stop()
        let second = try TestServer(first.address)
        await second.stop()
    }

    @Test("a server with several loops serves on each")
    func loops() async throws {
        try await withServer(.any, { $0.loops = 3 }) { server in
            // The kernel spreads by a hash of the client's port: with a hundred all get some.
            let clients = try (0..<100).map { _ in try server.client() }
            for client in clients { try client.send(get("/a")) }
            for client in clients { #expect(try client.answer().text == "/a") }
            #expect(server.stage.responders == 3)
        }
    }

    @Test("a Unix socket serves with several loops, and its file is removed with the server")
    func unix() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            let server = try TestServer(.unix(path: path)) { $0.loops = 2 }
            #expect(server.address.description == "unix:\(path)")
            let clients = try (0..<20).map { _ in try server.client() }
            for client in clients { try client.send(get("/a")) }
            for client in clients { #expect(try client.answer().text == "/a") }
            await server.stop()
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test(
        "a Unix socket's file has the configured permissions under any umask",
        arguments: [nil, 0o600, 0o666] as [UInt32?]
    )
    func socketMode(mode: UInt32?) async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            try await withServer(.unix(path: path), { if let mode { $0.socketMode = mode } }) { _ in
                var status = stat()
                #expect(stat(path, &status) == 0)
                #expect(status.st_mode & 0o777 == mode ?? 0o660)
            }
        }
    }

    @Test("a socket without a listener is replaced")
    func stale() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            try leaveSocket(path)
            #expect(access(path, F_OK) == 0)
            try await withServer(.unix(path: path)) { server in try server.turn() }
        }
    }

    @Test("a socket with a listener, and any other file, is preserved")
    func live() async throws {
        try await withFolder { folder in
            try await withServer(.unix(path: folder + "/socket")) { server in
                let error = #expect(throws: SystemError.self) { try TestServer(server.address) }
                #expect(error?.code == EADDRINUSE)
                #expect(error?.description.hasPrefix("can't listen on \(server.address): ") == true)
                try server.turn()
            }
            let path = folder + "/file"
            Glibc.close(open(path, O_CREAT | O_WRONLY, 0o600))
            let error = #expect(throws: SystemError.self) { try TestServer(.unix(path: path)) }
            #expect(error?.code == ENOTSOCK)
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test(
        "an invalid path is an error with the reason",
        arguments: [
            ("/nowhere/socket", ENOENT), (String(repeating: "x", count: 200), ENAMETOOLONG),
            ("", ENAMETOOLONG),
        ]
    )
    func path(path: String, code: CInt) {
        let error = #expect(throws: SystemError.self) { try TestServer(.unix(path: path)) }
        #expect(error?.code == code)
    }

    @Test("a server that stops slowly doesn't remove its successor's socket")
    func successor() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            let first = try TestServer(.unix(path: path))
            let client = try first.client()
            try client.send(get("/later/x"))
            await first.stage.signal("x begun").wait()
            first.server.drain()
            let second = try TestServer(.unix(path: path))
            first.stage.signal("x").give()
            #expect(try client.answer().text == "x")
            client.close()
            await first.server.waitUntilStopped()
            try second.turn()
            await second.stop()
            #expect(access(path, F_OK) != 0)
        }
    }

    /// Leaves a socket's file without a listener, as a process that was killed does.
    private func leaveSocket(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw SystemError("bind") }
    }

    @Test("a check finds a port in use and a free one, and listens on neither")
    func checked() async throws {
        let server = try TestServer(.any)
        let error = #expect(throws: SystemError.self) { try server.address.checkIsFree() }
        #expect(error?.code == EADDRINUSE)
        await server.stop()
        for _ in 0..<2 { try server.address.checkIsFree() }
        #expect(throws: SystemError.self) { try TestClient(server.address) }
        #expect(throws: AddressError.self) {
            try SocketAddress.tcp(host: "no such host", port: 1).checkIsFree()
        }
    }

    @Test("a check of a Unix socket finds a listener, another file, and a left-over socket")
    func checkedUnix() async throws {
        try await withFolder { folder in
            func code(_ path: String) -> CInt? {
                do {
                    try SocketAddress.unix(path: path).checkIsFree()
                    return nil
                } catch {
                    return (error as? SystemError)?.code
                }
            }
            let path = folder + "/socket"
            #expect(code(path) == nil)
            #expect(access(path, F_OK) != 0)
            let server = try TestServer(.unix(path: path))
            #expect(code(path) == EADDRINUSE)
            await server.stop()
            let left = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            #expect(isBound)
            close(left)
            #expect(code(path) == nil)
            #expect(access(path, F_OK) == 0)
            close(creat(folder + "/file", 0o600))
            #expect(code(folder + "/file") == ENOTSOCK)
            #expect(code(folder + "/none/socket") == ENOENT)
            #expect(code(folder + "/" + String(repeating: "a", count: 200)) == ENAMETOOLONG)
            #expect(code("") == ENAMETOOLONG)
        }
    }
}
