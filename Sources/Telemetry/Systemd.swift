package import System
package import Glibc

/// The systemd protocol of services, without its library: inherited sockets (sd_listen_fds(3)) and
/// state notifications (sd_notify(3)).
package enum Systemd {
    /// A listening socket that systemd opened before the server started.
    package struct Socket: Sendable {
        package let descriptor: FileDescriptor
        /// The unit's `FileDescriptorName=`; empty if it has none.
        package let name: String
    }

    /// The first inherited descriptor.
    package static let first: CInt = 3

    /// Returns the sockets that systemd opened for this process; empty if there are none.
    ///
    /// Removes the variables from the environment, since child processes don't inherit the sockets.
    ///
    /// - Throws: ``SystemError`` for a descriptor that isn't a listening stream socket.
    package static func takeSockets() throws -> [Socket] {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        let names = try descriptorNames(
            pid: value("LISTEN_PID"),
            count: value("LISTEN_FDS"),
            names: value("LISTEN_FDNAMES"),
            own: getpid()
        )
        // All sockets are owned first, so that they are closed if a later one is invalid.
        let sockets = names.enumerated().map { index, name in
            Socket(descriptor: FileDescriptor(first + CInt(index)), name: name)
        }
        for socket in sockets { try prepare(socket) }
        return sockets
    }

    /// Returns the names of this process's descriptors, in order.
    ///
    /// - Throws: ``SystemError`` for invalid variables.
    package static func descriptorNames(
        pid: String?,
        count: String?,
        names: String?,
        own: pid_t
    ) throws -> [String] {
        guard let pid, let count else { return [] }
        guard let pid = pid_t(pid) else { throw SystemError("LISTEN_PID=\(pid)", code: EINVAL) }
        // The variables are for the parent process, from which they were inherited.
        guard pid == own else { return [] }
        guard let number = Int(count), (0...1024).contains(number) else {
            throw SystemError("LISTEN_FDS=\(count)", code: EINVAL)
        }
        guard let names else { return Array(repeating: "", count: number) }
        let all = names.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard all.count == number || (number == 0 && names.isEmpty) else {
            throw SystemError("LISTEN_FDNAMES=\(names)", code: EINVAL)
        }
        return number == 0 ? [] : all
    }

    private static func prepare(_ socket: Socket) throws {
        let fd = socket.descriptor.raw
        func option(_ name: CInt) throws -> CInt {
            var value: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            guard getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 else {
                throw SystemError("the socket \(fd) of LISTEN_FDS")
            }
            return value
        }
        guard try option(SO_TYPE) == CInt(SOCK_STREAM.rawValue), try option(SO_ACCEPTCONN) != 0
        else { throw SystemError("the socket \(fd) of LISTEN_FDS doesn't listen", code: EINVAL) }
        guard fcntl(fd, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0
        else { throw SystemError("the socket \(fd) of LISTEN_FDS") }
    }

    /// A service state in the format of `sd_notify`.
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// Notifies systemd if it expects that; returns false if it can't be reached.
    @discardableResult
    package static func notify(_ state: State) -> Bool {
        guard let path = value("NOTIFY_SOCKET") else { return true }
        return send(state.rawValue, to: path)
    }

    /// Sends a datagram to a Unix socket: a path, or "@" and a name in the abstract namespace.
    package static func send(_ text: String, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.first == UInt8(ascii: "/") || name.first == UInt8(ascii: "@"), name.count > 1,
            name.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return false }
        let isAbstract = name[0] == UInt8(ascii: "@")
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        // An abstract name has exactly its bytes; a path ends with NUL.
        let length = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(socket(AF_UNIX, type, 0))
        guard socket.raw >= 0 else { return false }
        let message = Array(text.utf8)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    socket.raw,
                    message,
                    message.count,
                    CInt(MSG_NOSIGNAL),
                    $0,
                    socklen_t(length)
                ) == message.count
            }
        }
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
