import Glibc

/// The public folder that the server under test serves, the same bytes and dates in every run.
enum Fixtures {
    static let hello = octets("hello from the conformance suite\n")
    static let range = (0..<1000).map { UInt8($0 % 251) }
    static let smuggledMark = "smuggled-and-answered"
    static let outsideMark = "outside-of-public"
    /// Mon, 01 Jan 2024 00:00:00 GMT: old enough that Last-Modified is a strong validator.
    static let modified = HTTPDate(seconds: 1_704_067_200)

    private static let behaviors = #"""
        [
            {"name": "GenericProtocol.MyFirstModule", "actions": [{"func": "sayHello"}]},
            {"name": "GenericProtocol.MyThirdModule", "actions": [
                {"func": "openUrlWithUrl:", "value": "https://example.org/"}
            ]}
        ]

        """#

    /// Writes the tree into `folder`, which exists, and one file beside it that no request may reach.
    static func write(public folder: String) throws {
        try makeFolder(folder + "/sub")
        try file(folder + "/hello.txt", hello)
        try file(folder + "/range.bin", range)
        try file(folder + "/empty.txt", [])
        try file(folder + "/index.html", octets("<!doctype html><title>index</title><p>index\n"))
        try file(folder + "/smuggled", octets(smuggledMark))
        try file(folder + "/sub/nested file.txt", octets("nested\n"))
        try file(folder + "/behaviors.json", octets(behaviors))
        try file(folder + "/../outside.txt", octets(outsideMark))
        unlink(folder + "/link-out.txt")
        guard symlink("../outside.txt", folder + "/link-out.txt") == 0 else {
            throw HarnessError("symlink in \(folder): errno \(errno)")
        }
    }

    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw HarnessError("mkdir \(path): errno \(errno)")
        }
    }

    private static func file(_ path: String, _ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw HarnessError("open \(path): errno \(errno)") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw HarnessError("write \(path): errno \(errno)")
        }
        let moment = timespec(tv_sec: modified.seconds, tv_nsec: 0)
        guard futimens(descriptor, [moment, moment]) == 0 else {
            throw HarnessError("futimens \(path): errno \(errno)")
        }
    }
}
