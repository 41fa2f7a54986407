import HTTPServer
import System
import Testing

@testable import PlugboardCommand

@Suite("The checks of the machine")
struct ServerChecksMachineTests {
    @Test("descriptors for half of the connections suffice; the remedy suffices for all")
    func descriptors() throws {
        #expect(ServerChecks.descriptors(limit: 20_000, connections: 16_384).status == .ok)
        #expect(ServerChecks.descriptors(limit: .max, connections: 1).status == .ok)
        let few = ServerChecks.descriptors(limit: 1_024, connections: 16_384)
        #expect(few.status == .warning)
        #expect(few.message == "1024 allow 832 connections, not --connections 16384")
        let words = try #require(few.remedy).split { !$0.isNumber }
        let needed = try #require(words.first.flatMap { Int($0) })
        #expect(Descriptors.places(for: 16_384, of: needed) == 16_384)
        #expect(Descriptors.places(for: 16_384, of: needed - 16) < 16_384)
        #expect(ServerChecks.descriptors(limit: 16, connections: 1_000_000).status == .warning)
    }

    @Test("the budgets may take three quarters of the memory limit")
    func memory() {
        func finding(_ limit: Int?, _ bodies: Int, _ responses: Int = 16 << 20) -> Finding {
            ServerChecks.memory(
                limit: limit,
                machine: 8 << 30,
                bodies: bodies,
                responses: responses
            )
        }
        #expect(
            finding(64 << 20, 16 << 20)
                == .ok(
                    "memory",
                    "the limit is 64 MiB; 16 MiB for bodies, 16 MiB for responses"
                )
        )
        let over = finding(64 << 20, 64 << 20)
        #expect(over.status == .warning)
        #expect(over.message.contains("may take 144 MiB"))
        #expect(over.remedy?.contains("at most \(16 << 20),") == true)
        #expect(finding(nil, 64 << 20).message.hasPrefix("no limit, 8 GiB on this machine"))
        #expect(finding(nil, 1 << 40).status == .warning)
    }

    @Test(
        "little space, few inodes and a read-only file system have their status",
        arguments: [
            (DiskSpace(free: 1 << 34, total: 1 << 38), Finding.Status.ok),
            (DiskSpace(free: 1 << 29, total: 1 << 40), .warning),
            (DiskSpace(free: 1 << 29, total: 1 << 30), .ok),
            (DiskSpace(free: (16 << 20) - 1, total: 1 << 25), .error),
            (DiskSpace(free: 0, total: 0), .error),
            (DiskSpace(free: 1 << 34, total: 1 << 38, freeFiles: 999), .warning),
            (DiskSpace(free: 1 << 34, total: 1 << 38, freeFiles: 0), .error),
            (DiskSpace(free: 1 << 34, total: 1 << 38, freeFiles: 5_000), .ok),
            (DiskSpace(free: 1 << 34, total: 1 << 38, isReadOnly: true), .error),
        ]
    )
    func disk(space: DiskSpace, status: Finding.Status) {
        let finding = ServerChecks.disk("/data", space)
        #expect(finding.status == status)
        #expect(finding.message.hasPrefix("/data "))
        #expect((finding.remedy == nil) == (status == .ok))
    }

    @Test("a port of a running server is fine, and a port of another program isn't")
    func ports() {
        func status(_ state: PortState, isServed: Bool = false) -> Finding.Status {
            ServerChecks.publicPort("a", state, isOperationsPortServed: isServed).status
        }
        for state in [PortState.chosen, .free, .served] { #expect(status(state) == .ok) }
        for state in [PortState.used, .same, .forbidden, .unusable("x")] {
            #expect(status(state) == .error)
        }
        #expect(status(.untrusted) == .warning)
        #expect(status(.untrusted, isServed: true) == .ok)
        #expect(status(.used, isServed: true) == .error)
        let address = SocketAddress.tcp(host: "127.0.0.1", port: 9_464)
        func operations(_ state: PortState, isOptional: Bool) -> Finding.Status {
            ServerChecks.operationsPort(address, state, isOptional: isOptional).status
        }
        #expect(operations(.used, isOptional: true) == .warning)
        #expect(operations(.used, isOptional: false) == .error)
        #expect(operations(.served, isOptional: true) == .ok)
    }

    @Test("two addresses overlap if they have the port and a host in common")
    func overlap() {
        func overlap(_ one: (String, UInt16), _ other: (String, UInt16)) -> Bool {
            ServerChecks.overlap(
                .tcp(host: one.0, port: one.1),
                .tcp(host: other.0, port: other.1)
            )
        }
        #expect(overlap(("a", 1), ("a", 1)))
        #expect(overlap(("0.0.0.0", 1), ("127.0.0.1", 1)))
        #expect(overlap(("127.0.0.1", 1), ("::", 1)))
        #expect(!overlap(("a", 1), ("b", 1)))
        #expect(!overlap(("a", 1), ("a", 2)))
        #expect(!overlap(("a", 0), ("a", 0)))
        #expect(!ServerChecks.overlap(.unix(path: "a"), .tcp(host: "a", port: 1)))
    }
}
