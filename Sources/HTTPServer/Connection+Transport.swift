import System
import CLinux
import Glibc
import HTTPSyntax

/// The socket as the rest of a connection sees it: the only place that reads from it and writes to
/// it.
///
/// Each function returns what the system call does: a count, or -1 with the reason in `errno`
/// (EAGAIN: later).
extension Connection {
    /// The most that is read in one go: the size of the loop's buffer.
    static let readSize = 64 * 1024

    /// Reads what the client sent into the loop's buffer; 0 is its end.
    @inline(__always)
    func receive() -> Int {
        let count =
            if let tls {
                tls.receive(loop.readBuffer, Self.readSize)
            } else {
                recv(fd, loop.readBuffer, Self.readSize, 0)
            }
        if count == Self.readSize { hasUnread = true }
        if count > 0 { loop.counters.received.add(count) }
        return count
    }

    /// Reads what nobody wants any more, as it comes from the network.
    func receiveUnwanted() -> Int {
        let count = recv(fd, loop.readBuffer, Self.readSize, 0)
        if count == Self.readSize { hasUnread = true }
        return count
    }

    /// Sends bytes, as many as the socket takes; `more` says that others follow at once.
    @inline(__always)
    func transmit(_ bytes: ByteSpan, more: Bool = false) -> Int {
        let flags = CInt(MSG_NOSIGNAL) | (more ? CInt(MSG_MORE) : 0)
        let count =
            if let tls { tls.transmit(bytes) } else {
                Glibc.send(fd, bytes.baseAddress, bytes.count, flags)
            }
        if count > 0 { countSent(count) }
        return count
    }

    /// Sends a part of a file, as much as the socket takes; 0: the file is shorter than it was.
    func transmit(_ file: FileTransfer, count: Int) -> Int {
        var offset = off_t(file.offset)
        let sent =
            if let tls { tls.transmit(file, count) } else {
                sendfile(fd, file.body.descriptor.raw, &offset, count)
            }
        if sent > 0 { countSent(sent) }
        return sent
    }

    @inline(__always)
    private func countSent(_ count: Int) {
        sent += count
        loop.counters.sent.add(count)
    }

    /// The bytes that the client has acknowledged of what the socket took: within TLS about as many,
    /// since the socket takes a little more than is counted.
    var acknowledged: Int {
        var unacknowledged: CInt = 0
        return ioctl(fd, UInt(TIOCOUTQ), &unacknowledged) == 0 ? sent - Int(unacknowledged) : sent
    }

    /// Lets the kernel drop what the client hasn't taken when the socket closes.
    func dropTransmission() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<Glibc.linger>.size)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, size)
    }

    /// Closes the server's side; false if the socket has to take bytes before.
    func endTransmission() -> Bool {
        if let tls, !tls.sayEnd() { return false }
        shutdown(fd, CInt(SHUT_WR))
        return true
    }
}

/// A file on its way to the socket.
struct FileTransfer {
    let body: FileBody
    var offset: Int
    var remaining: Int
}
