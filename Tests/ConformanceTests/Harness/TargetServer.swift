import Glibc
import Testing

/// A way to the server under test.
protocol ConformanceTarget {
    /// The loopback port on which it answers, once it does.
    static func start() throws -> UInt16
}

/// The server under test: one for the whole test process, started by the first case that needs it.
///
/// | environment | meaning |
/// |---|---|
/// | `PLUGBOARD_TEST_SERVER` | path of the `photos` executable, started on a port of its own |
/// | `PLUGBOARD_TEST_PORT` | a server that already runs on 127.0.0.1 |
/// | `PLUGBOARD_TEST_PUBLIC` | with the latter: its public folder, into which the fixtures are written |
enum TargetServer {
    static let port = Result {
        if getenv("PLUGBOARD_TEST_PORT") != nil { return try RunningServer.start() }
        return try SpawnedServer.start()
    }
}

enum RunningServer: ConformanceTarget {
    static func start() throws -> UInt16 {
        guard let port = environment("PLUGBOARD_TEST_PORT").flatMap(UInt16.init) else {
            throw HarnessError("PLUGBOARD_TEST_PORT is not a port")
        }
        if let folder = environment("PLUGBOARD_TEST_PUBLIC") { try Fixtures.write(public: folder) }
        return port
    }
}

enum SpawnedServer: ConformanceTarget {
    /// Runs the server as long as somebody holds the other end of standard input, so that it is gone however
    /// this process ends, a crash included, and its folder with it.
    private static let leash = """
        folder=$1; shift; "$@" 2>"$folder/server.log" & server=$!
        cat >/dev/null; kill -KILL $server; wait $server 2>/dev/null; rm -rf "$folder"
        """

    static func start() throws -> UInt16 {
        guard let executable = environment("PLUGBOARD_TEST_SERVER") else {
            throw HarnessError(
                "no server to test: set PLUGBOARD_TEST_SERVER to the plugboard executable, "
                    + "or PLUGBOARD_TEST_PORT to the port of a server that runs"
            )
        }
        guard access(executable, X_OK) == 0 else {
            throw HarnessError("PLUGBOARD_TEST_SERVER: \(executable) is not executable")
        }
        let folder = try temporaryFolder()
        try Fixtures.makeFolder(folder + "/public")
        try Fixtures.makeFolder(folder + "/data")
        try Fixtures.write(public: folder + "/public")
        let output = try spawn([
            "/bin/sh", "-c", leash, "sh", folder,
            executable, "serve", "--port", "0", "--public", folder + "/public",
            "--data", folder + "/data", "--loops", "1",
            // More than a client's patience: what a server closes late it doesn't close at all.
            "--head-timeout", "300", "--body-timeout", "300", "--idle-timeout", "300",
            "--write-timeout", "300",
            // The rules of Host are tested, not a server's choice of hosts.
            "--allowed-host", "*",
        ])
        let port = try announcedPort(from: output, log: folder + "/server.log")
        drain(output)
        return port
    }

    private static func temporaryFolder() throws -> String {
        let parent = environment("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/plugboard-conformance-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("mkdtemp: errno \(errno)") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Starts a command and returns its standard output.
    ///
    /// Its standard input stays open as long as this process lives.
    private static func spawn(_ arguments: [String]) throws -> Int32 {
        let (input, leashEnd) = try makePipe()
        let (output, outputEnd) = try makePipe()
        defer {
            close(input)
            close(outputEnd)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputEnd, STDOUT_FILENO)
        // Only what a process needs: a PLUGBOARD_… of the caller would change what is under test.
        let kept = [
            "PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "TSAN_OPTIONS", "ASAN_OPTIONS",
        ].compactMap { name in
            environment(name).map { "\(name)=\($0)" }
        }
        var process = pid_t()
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = kept.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        let status = posix_spawn(&process, arguments[0], &actions, nil, &argv, &envp)
        guard status == 0 else {
            close(leashEnd)
            throw HarnessError("posix_spawn \(arguments[0]): errno \(status)")
        }
        return output
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw HarnessError("pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The port of the first `http://127.0.0.1:PORT` in the banner, within a minute.
    private static func announcedPort(from output: Int32, log: String) throws -> UInt16 {
        let deadline = ContinuousClock.now + .seconds(60)
        var banner = ""
        var room = [UInt8](repeating: 0, count: 4096)
        while ContinuousClock.now < deadline {
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 500) > 0 else { continue }
            let count = read(output, &room, room.count)
            guard count > 0 else { break }
            banner += latin1(room.prefix(count))
            if let port = port(in: banner) { return port }
        }
        throw HarnessError(
            "the server told no http://127.0.0.1:PORT; it said: \(banner)\(contents(of: log))"
        )
    }

    private static func contents(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var room = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &room, room.count)
        return latin1(room.prefix(max(count, 0)))
    }

    private static func port(in banner: String) -> UInt16? {
        let scheme = "http://127.0.0.1:"
        guard let start = banner.indices.first(where: { banner[$0...].hasPrefix(scheme) }) else {
            return nil
        }
        let rest = banner[start...].dropFirst(scheme.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        // Without a character behind it the number may be half read.
        return digits.endIndex < rest.endIndex ? UInt16(digits) : nil
    }

    /// Reads what the server goes on to say, so that a full pipe never stops it.
    private static func drain(_ output: Int32) {
        var thread = pthread_t()
        let argument = UnsafeMutableRawPointer(bitPattern: Int(output))
        let reader: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            var room = [UInt8](repeating: 0, count: 4096)
            while read(Int32(Int(bitPattern: $0)), &room, room.count) > 0 {}
            return nil
        }
        pthread_create(&thread, nil, reader, argument)
        pthread_detach(thread)
    }
}

func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
