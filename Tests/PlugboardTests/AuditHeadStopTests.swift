import BehaviorStore
import Glibc
import PostgreSQL
import TestLog
import Testing

@testable import Plugboard

@Suite("The audits' last rows when a server stops", .timeLimit(.minutes(5)))
struct AuditHeadStopTests {
    /// A listening socket that accepts connections and never responds, as a stopped database does.
    private final class SilentListener {
        private let descriptor: CInt
        let port: Int

        init() throws {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            self.descriptor = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            try #require(status)
        }

        deinit { close(descriptor) }
    }

    @Test(
        "a database that doesn't respond doesn't delay the stop, and the written rows are logged",
        .enabled(if: KeyPlace.allCases.count > 1, "there is no libpq")
    )
    func hangingDatabase() async throws {
        let listener = try SilentListener()
        var configuration = PostgreSQLConfiguration()
        configuration.connectTimeout = .seconds(3600)
        let address = try PostgreSQLAddress(
            "postgres://ada:secret@127.0.0.1:\(listener.port)/none?sslmode=disable"
        )
        let journal = Journal()
        let folder = try TemporaryFolder()
        let writer = AuditAnchorWriter(
            path: folder["head.json"],
            key: nil,
            backend: PostgreSQLBehaviors(
                try PostgreSQLClient(address, configuration),
                logger: journal.logger
            ),
            administration: nil,
            logger: journal.logger,
            stopTimeout: .milliseconds(100)
        )
        // Without the timeout it would take an hour.
        await writer.finish()
        let lines = journal.lines.filter { $0.contains("the head isn't written") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("didn't respond") == true)
        #expect(lines.first?.contains("head.json has no head") == true)
        withExtendedLifetime(listener) {}
    }
}
