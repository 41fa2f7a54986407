import Glibc
import HTTPSyntax

/// The way of the output to the socket.
extension Connection {
    /// Sends the loop's output, which is all from this connection, and the connection's own.
    func flush() {
        // Releases the memory of a large response.
        defer { loop.output.removeAll(keepingCapacity: LoopResources.outputLimit) }
        guard state.reading != .closed else { return }
        if output.isEmpty, !loop.output.isEmpty {
            let sent = transmit(loop.output.bytes, more: sendsMore)
            if sent > 0 {
                loop.output.consume(sent)
            } else if sent < 0, errno != EAGAIN, errno != EINTR {
                return close()
            }
        }
        if !loop.output.isEmpty {
            output.append(from: &loop.output)
            countWaiting()
        }
        // With a write interest the poller reports when the socket accepts more.
        if isBlocked, interest != .write { sendPending() }
        guard state.reading != .closed else { return }
        if closeIfDone() { return }
        if isIdle { arm(.idle) }
        settle()
    }

    /// Whether more bytes follow at once: a file, or the connection's end, which then shares the
    /// last packet.
    var sendsMore: Bool { file != nil || state.endsAfterOutput }

    /// Sends the waiting output when the socket accepts bytes again, and continues.
    func sendWaiting() {
        tls?.awaitsSocket = false
        sendPending()
        if output.count < OutgoingBody.window { sending?.resume(true) }
        guard !isBlocked, !closeIfDone() else { return }
        handle(.writable)
    }

    /// Sends as much of the waiting output as the socket accepts, and one chunk of a file.
    func sendPending() {
        defer { countWaiting() }
        while !output.isEmpty {
            let bytes = output.bytes
            let sent = transmit(bytes)
            guard sent > 0 else { return sendStopped(sent) }
            output.consume(sent)
        }
        guard let transfer = file else { return }
        let sent = transmit(transfer, count: min(transfer.remaining, LoopResources.fileChunk))
        // 0: the file has become shorter.
        guard sent != 0 else { return close() }
        guard sent > 0 else { return sendStopped(sent) }
        file?.offset += sent
        file?.remaining -= sent
        if transfer.remaining == sent { file = nil } else { handle(.blocked) }
    }

    private func sendStopped(_ result: Int) {
        switch errno {
        // The connection isn't read meanwhile. A client that has only half-closed still gets its
        // response; a disconnected one causes an error.
        case EINTR, EAGAIN: handle(.blocked)
        default: handle(.failed)
        }
    }

    /// Closes the server's side if everything is sent and the connection is to end.
    ///
    /// Returns false if not, or if the socket has to accept bytes first.
    func closeIfDone() -> Bool {
        if let http2, !isBlocked, http2.isFinished { endHTTP2() }
        // Without the shutdown, a close would discard output that MSG_MORE holds back if the client
        // has sent more.
        guard on(.flushed).contains(.shutDown), endTransmission() else { return false }
        handle(.shutDown)
        return true
    }
}
