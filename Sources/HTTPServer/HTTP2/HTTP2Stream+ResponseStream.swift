import HTTP2

extension HTTP2Stream: BodyWriter {
    func send(_ piece: [UInt8]) -> Bool {
        piece.withUnsafeBufferPointer { pieces.append($0) }
        connection.count(pieces: piece.count)
        wake()
        return pieces.count < OutgoingBody.window
    }

    func finishBody() {
        state.isEnded = true
        task = nil
        if case .stream(let sending) = body { sending.writer = nil }
        wake()
    }

    /// Resets the stream (RFC 9113 §8.1.1).
    func breakBody() {
        task = nil
        connection.session.reset(id, .internalError)
        connection.writeLater()
    }

    func cancelTask() {
        task?.cancel()
        if case .stream(let sending) = body { sending.resume(false) }
    }

    /// Makes the session request body bytes again.
    private func wake() {
        if state.isDeferred {
            state.isDeferred = false
            stamp = connection.loop.milliseconds
            connection.session.resume(id)
        }
        connection.writeLater()
    }
}
