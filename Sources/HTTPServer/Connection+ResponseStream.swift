import HTTPSyntax
import Logging

extension EventLoop {
    /// Sends a stream's pieces as they are made, until they end or the client is gone.
    ///
    /// Runs as a part of the answer's task, on this loop. `body` tells the answer from the
    /// connection's later ones.
    func send(_ stream: ResponseStream, as body: OutgoingBody, to token: UInt64) async {
        do {
            while self.connection(token, sending: body) != nil, let piece = try await stream.next()
            {
                guard await send(piece, as: body, to: token) else { throw CancellationError() }
            }
            self.connection(token, sending: body)?.finishSending()
        } catch {
            self.connection(token, sending: body)?.breakSending(error)
        }
    }

    /// Sends a piece, and waits until there is room for the next; false if no more is wanted.
    private func send(_ piece: [UInt8], as body: OutgoingBody, to token: UInt64) async -> Bool {
        guard let connection = connection(token, sending: body) else { return false }
        guard !connection.send(piece) else { return true }
        return await withUnsafeContinuation { body.wait($0) }
    }

    private func connection(_ token: UInt64, sending body: OutgoingBody) -> Connection? {
        guard let connection = connection(token), connection.sending === body else { return nil }
        return connection
    }
}

extension Connection {
    /// Sends a piece of the body; false if the next has to wait for room.
    fileprivate func send(_ piece: [UInt8]) -> Bool {
        guard let sending, !piece.isEmpty else { return true }
        if sending.isChunked {
            loop.output.append(hexadecimal: piece.count)
            loop.output.append("\r\n")
        }
        loop.output.append(piece)
        if sending.isChunked { loop.output.append("\r\n") }
        if state.reading != .starting || loop.output.count > OutgoingBody.window {
            loop.flush(self)
        }
        // Each piece moves the heartbeat, and shows whether the client is there.
        if timer == .heartbeat || timer == .hangUp { arm(timer) }
        return output.count < OutgoingBody.window
    }

    /// Nothing was sent for a while: the client is shown that there is more to come.
    func beat() {
        guard let sending, let heartbeat = sending.heartbeat else { return }
        guard sending.mayGoOn else {
            // It ends now, whenever its task heeds that.
            cancelTask()
            return finishSending()
        }
        _ = send(heartbeat)
        settle()
    }

    /// The body is complete.
    fileprivate func finishSending() {
        guard let sending else { return }
        if sending.isChunked { loop.output.append("0\r\n\r\n") }
        self.sending = nil
        handle(.bodyEnded)
    }

    /// The body breaks off: the connection closes without its last chunk, so that the client can
    /// tell (RFC 9112 §8).
    fileprivate func breakSending(_ error: any Error) {
        guard let sending else { return }
        if !(error is CancellationError) {
            loop.logger.error("an answer's stream broke off: \(error)")
        } else if sending.heartbeat != nil {
            // It had no end of its own, so being cancelled is one.
            return finishSending()
        }
        // Where the connection's end is the body's, a proper one would be a lie.
        if !sending.isChunked { tls?.breakOff() }
        self.sending = nil
        handle(.bodyBroke)
    }

    /// The client is gone, or gets no more.
    func abandonSending() {
        guard let sending else { return }
        self.sending = nil
        sending.resume(false)
    }
}
