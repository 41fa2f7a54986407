import System
import CLinux
import Glibc
import HTTPSyntax

/// The socket calls of a connection.
///
/// No other code reads from the socket or writes to it.
///
/// Each function returns the system call's result: a count, or -1 with the reason in `errno`
/// (EAGAIN: later).
extension Connection {
    /// Reads into the loop's buffer; returns 0 at the client's end.
    @inline(__always)
    func receive() -> Int {
        let count =
            if let tls {
                tls.receive(loop.readBuffer, LoopResources.readSize)
            } else {
                recv(fd, loop.readBuffer, LoopResources.readSize, 0)
            }
        if count == LoopResources.readSize { hasUnread = true }
        if count > 0 { loop.counters.received.add(count) }
        return count
    }

    /// Copies at most `limit` bytes to the loop's buffer, which stay unread.
    func peek(_ limit: Int) -> Int { recv(fd, loop.readBuffer, limit, CInt(MSG_PEEK)) }

    /// Reads bytes that `peek` has copied before.
    func consumePeeked(_ count: Int) { _ = recv(fd, loop.readBuffer, count, 0) }

    /// Reads bytes to drop, without decrypting them.
    func receiveUnwanted() -> Int {
        let count = recv(fd, loop.readBuffer, LoopResources.readSize, 0)
        if count == LoopResources.readSize { hasUnread = true }
        return count
    }

    /// Sends as many bytes as the socket accepts; `more` if other bytes follow at once.
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

    /// Sends as much of a file as the socket accepts; returns 0 if the file has become shorter.
    func transmit(_ file: FileTransfer, count: Int) -> Int {
        var offset = off_t(file.offset)
        let sent =
            if let tls { tls.transmit(file.body.descriptor, at: file.offset, count) } else {
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

    /// The number of sent bytes that the client has acknowledged.
    ///
    /// Within TLS it is approximate, since `sent` excludes TLS's overhead.
    var acknowledged: Int {
        var unacknowledged: CInt = 0
        return ioctl(fd, UInt(TIOCOUTQ), &unacknowledged) == 0 ? sent - Int(unacknowledged) : sent
    }

    /// Makes the kernel discard unsent bytes when the socket closes.
    func dropTransmission() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<Glibc.linger>.size)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, size)
    }

    /// Closes the server's side; returns false if the socket has to accept close_notify first.
    func endTransmission() -> Bool {
        if let tls, !tls.sendCloseNotify() { return false }
        shutdown(fd, CInt(SHUT_WR))
        return true
    }
}
