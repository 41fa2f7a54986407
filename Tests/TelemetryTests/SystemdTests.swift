import Glibc
import Telemetry
import Testing

@Suite("Sockets and states of a service manager (sd_listen_fds(3), sd_notify(3))")
struct ServiceManagerTests {
    private func names(_ pid: String?, _ count: String?, _ names: String?) throws -> [String] {
        try Systemd.descriptorNames(pid: pid, count: count, names: names, own: 42)
    }

    @Test("sockets for this process have their names, if any")
    func sockets() throws {
        #expect(try names("42", "2", "http:metrics") == ["http", "metrics"])
        #expect(try names("42", "2", nil) == ["", ""])
        #expect(try names("42", "1", "") == [""])
        #expect(try names("42", "0", nil) == [])
        #expect(try names("42", "0", "") == [])
    }

    @Test("without the variables, or with another process's, there are no sockets")
    func none() throws {
        #expect(try names(nil, nil, nil) == [])
        #expect(try names("42", nil, nil) == [])
        #expect(try names(nil, "1", nil) == [])
        #expect(try names("41", "1", nil) == [])
    }

    @Test(
        "invalid variables are an error",
        arguments: [
            ("x", "1", nil), ("42", "x", nil), ("42", "-1", nil), ("42", "99999", nil),
            ("42", "2", "one"), ("42", "1", "one:two"), ("42", "", nil), ("", "1", nil),
        ] as [(String, String, String?)]
    )
    func nonsense(_ pid: String, _ count: String, _ given: String?) {
        #expect(throws: (any Error).self) { try names(pid, count, given) }
    }

    @Test(
        "a state is sent as a datagram, to a path or to an abstract name",
        arguments: [false, true]
    )
    func notifies(isAbstract: Bool) throws {
        // One for each case: they run beside each other, and a path is taken away.
        let name = "/tmp/plugboard-notify-\(getpid())-\(isAbstract)"
        unlink(name)
        defer { unlink(name) }
        let receiver = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = isAbstract ? [0] + Array(name.utf8) : Array(name.utf8) + [0]
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, socklen_t(2 + bytes.count))
            }
        }
        try #require(status == 0)
        try #require(Systemd.send("READY=1", to: isAbstract ? "@" + name : name))
        var received = [UInt8](repeating: 0, count: 100)
        let count = recv(receiver, &received, received.count, 0)
        #expect(String(decoding: received.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }

    @Test(
        "nothing is sent to an invalid address",
        arguments: [
            "", "/", "@", "relative", "vsock:2:1234", "/nowhere/at/all",
            "/" + String(repeating: "a", count: 200),
        ]
    )
    func unreachable(_ path: String) {
        #expect(!Systemd.send("READY=1", to: path))
    }
}
