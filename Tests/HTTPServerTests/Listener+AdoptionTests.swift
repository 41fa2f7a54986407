import System
import Glibc
import Testing

@testable import HTTPServer

@Suite("Sockets opened by another process", .blockingClients, .timeLimit(.minutes(5)))
struct ListenerAdoptionTests {
    @Test("all loops share the sockets and report their bound addresses")
    func shared() throws {
        let opened = try Listener.open(.any, loops: 1)
        let adopted = try Listener.adopt(opened.sockets[0], loops: 3)
        #expect(adopted.bound == opened.bound)
        #expect(
            adopted.sockets.map { $0.map(\.raw) }
                == Array(
                    repeating: opened.sockets[0].map(\.raw),
                    count: 3
                )
        )
    }

    @Test("a server on an adopted socket serves, with one or several loops", arguments: [1, 3])
    func serves(loops: Int) async throws {
        let opened = try Listener.open(.any, loops: 1)
        var configuration = HTTPConfiguration()
        configuration.loops = loops
        let server = try HTTPServer(
            address: .any,
            sockets: opened.sockets[0],
            configuration: configuration,
            logger: .silent
        ) {
            TestResponder(Stage())
        }
        try server.start()
        #expect(server.addresses == opened.bound)
        for _ in 0..<5 {
            let client = try TestClient(server.addresses[0])
            try client.send(get("/a"))
            #expect(try client.answer().text == "/a")
        }
        server.drain()
        await server.waitUntilStopped()
    }

    @Test("stopping the server doesn't remove an adopted Unix socket's file")
    func unix() async throws {
        try await withFolder { folder in
            let path = folder + "/socket"
            let opened = try Listener.open(.unix(path: path), loops: 1)
            let server = try HTTPServer(
                address: .any,
                sockets: opened.sockets[0],
                configuration: HTTPConfiguration(),
                logger: .silent
            ) {
                TestResponder(Stage())
            }
            #expect(server.addresses == [.unix(path: path)])
            server.drain()
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test("a descriptor that isn't a socket is rejected")
    func notASocket() {
        let file = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        #expect(throws: SystemError.self) { try Listener.adopt([file], loops: 1) }
    }
}
