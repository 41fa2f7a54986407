import CLinux
import Glibc
import Locking
import Testing

@testable import PostgreSQL

/// A TCP port in front of the test's database, which stops passing bytes on demand without closing
/// anything, as a firewall does.
final class TestRelay: Sendable {
    let port: UInt16
    private let target: String
    private let listener: CInt
    private let wakeUp: CInt
    private let state = Locked(State())

    private struct State {
        var isPassing = true
        var isEnded = false
        /// The connections with both of their ends.
        var pairs: [(CInt, CInt)] = []
    }

    /// Creates a relay to the socket in the database's folder.
    init(folder: String) throws {
        target = "\(folder)/.s.PGSQL.5432"
        wakeUp = eventfd(0, CInt(EFD_NONBLOCK))
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        listener = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && listen(socket, 100) == 0
                    && getsockname(socket, address, &size) == 0
            }
        }
        guard isOpen else { throw RelayFailure(number: errno) }
        port = UInt16(bigEndian: address.sin_port)
        let relay = Unmanaged.passRetained(self)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<TestRelay>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            relay.toOpaque()
        )
        pthread_detach(thread)
    }

    struct RelayFailure: Error { let number: CInt }

    /// Passes bytes, or holds them back.
    func pass(_ isPassing: Bool) {
        state.withLock { $0.isPassing = isPassing }
        eventfd_write(wakeUp, 1)
    }

    /// Closes all connections, and with it the thread ends.
    func end() {
        state.withLock { $0.isEnded = true }
        eventfd_write(wakeUp, 1)
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let now = state.withLock { $0 }
            var descriptors = [pollfd(fd: wakeUp, events: CShort(POLLIN), revents: 0)]
            if now.isEnded { break }
            if now.isPassing {
                let others = [listener] + now.pairs.flatMap { [$0.0, $0.1] }
                descriptors += others.map { pollfd(fd: $0, events: CShort(POLLIN), revents: 0) }
            }
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
            var count: eventfd_t = 0
            if descriptors[0].revents != 0 { eventfd_read(wakeUp, &count) }
            guard now.isPassing, state.withLock({ $0.isPassing }) else { continue }
            if descriptors[1].revents != 0 { accept() }
            for (index, pair) in now.pairs.enumerated() {
                let ready = descriptors[(2 + 2 * index)...(3 + 2 * index)].map { $0.revents != 0 }
                let isOpen =
                    (!ready[0] || copy(&buffer, pair.0, pair.1))
                    && (!ready[1] || copy(&buffer, pair.1, pair.0))
                if !isOpen { close(pair) }
            }
        }
        for pair in state.withLock({ $0.pairs }) { close(pair) }
        Glibc.close(listener)
        Glibc.close(wakeUp)
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        let database = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: target.utf8.prefix(path.count - 1))
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(database, $0, size) == 0
            }
        }
        guard isConnected else {
            Glibc.close(client)
            Glibc.close(database)
            return
        }
        state.withLock { $0.pairs.append((client, database)) }
    }

    private func copy(_ buffer: inout [UInt8], _ source: CInt, _ target: CInt) -> Bool {
        let count = read(source, &buffer, buffer.count)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let more = buffer.withUnsafeBytes {
                send(target, $0.baseAddress.map { $0 + sent }, count - sent, CInt(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            sent += more
        }
        return true
    }

    private func close(_ pair: (CInt, CInt)) {
        state.withLock { $0.pairs.removeAll { $0 == pair } }
        Glibc.close(pair.0)
        Glibc.close(pair.1)
    }
}

extension TestDatabase {
    /// A relay to the database, and the database's address at it.
    static func relay(_ parameters: String = "") throws -> (TestRelay, PostgreSQLAddress) {
        // postgres://plugboard:password@/postgres?host=/folder
        let relay = try TestRelay(folder: folder())
        return (relay, try address(hosts: "127.0.0.1:\(relay.port)", parameters))
    }

    /// The database's address at other hosts.
    static func address(hosts: String, _ parameters: String = "") throws -> PostgreSQLAddress {
        let login = try #require(url).prefix { $0 != "@" }
        return try PostgreSQLAddress("\(login)@\(hosts)/postgres?\(parameters)")
    }

    /// The folder of the database's socket.
    static func folder() throws -> String {
        let url = try #require(url)
        let range = try #require(url.firstRange(of: "?host="))
        return String(url[range.upperBound...])
    }
}
