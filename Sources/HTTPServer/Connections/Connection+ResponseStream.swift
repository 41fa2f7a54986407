import HTTPSyntax

extension Connection: BodyWriter {
    func send(_ piece: [UInt8]) -> Bool {
        guard let sending else { return true }
        if sending.isChunked {
            loop.output.append(hexadecimal: piece.count)
            loop.output.append("\r\n")
        }
        loop.output.append(piece)
        if sending.isChunked { loop.output.append("\r\n") }
        if state.reading != .starting || loop.output.count > OutgoingBody.window {
            flush()
        }
        // Each piece restarts the heartbeat timer, and shows whether the client is connected.
        if timer == .heartbeat || timer == .hangUp { arm(timer) }
        return output.count < OutgoingBody.window
    }

    func finishBody() {
        guard let sending else { return }
        if sending.isChunked { loop.output.append("0\r\n\r\n") }
        self.sending = nil
        handle(.bodyEnded)
    }

    /// Closes the connection without the last chunk (RFC 9112 §8).
    func breakBody() {
        guard let sending else { return }
        // If the connection's end marks the body's end, close_notify would make the body look
        // complete.
        if !sending.isChunked { tls?.breakOff() }
        self.sending = nil
        handle(.bodyBroke)
    }

    func cancelTask() {
        task?.cancel()
        sending?.resume(false)
    }

    /// Ends a body whose client is disconnected or gets no more bytes.
    func abandonSending() {
        guard let sending else { return }
        self.sending = nil
        sending.resume(false)
    }
}
