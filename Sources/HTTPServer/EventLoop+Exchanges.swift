import Logging

/// The tasks of exchanges in both protocols.
extension EventLoop {
    /// Makes a promised response and passes it to its exchange, if that still exists.
    ///
    /// Then sends the pieces of a streamed body.
    nonisolated(nonsending)
        func perform(_ work: Reply.Work, for exchange: ExchangeID) async
    {
        let response = await work()
        guard let body = complete(exchange, response), case .stream(let source) = response.body
        else {
            return
        }
        await send(source, as: body)
    }

    private func complete(_ exchange: ExchangeID, _ response: Response) -> OutgoingBody? {
        guard let connection = connection(exchange.connection) else { return nil }
        guard let stream = exchange.stream else { return connection.complete(response) }
        return connection.http2?.complete(stream, response)
    }

    /// Sends a stream's pieces until the stream ends or the client disconnects.
    ///
    /// Runs on this loop as a part of the response's task.
    func send(_ source: ResponseStream, as body: OutgoingBody) async {
        do {
            while body.writer != nil, let piece = try await source.next() {
                guard let writer = body.writer else { return }
                guard !piece.isEmpty, !writer.send(piece) else { continue }
                guard await withUnsafeContinuation({ body.wait($0) }) else {
                    throw CancellationError()
                }
            }
            body.writer?.finishBody()
        } catch is CancellationError where body.heartbeat != nil {
            // An endless body ends normally when it is cancelled.
            body.writer?.finishBody()
        } catch {
            guard let writer = body.writer else { return }
            if !(error is CancellationError) {
                logger.error("a response's body failed: \(error)")
            }
            writer.breakBody()
        }
    }

    /// Resumes reading an exchange's request body.
    ///
    /// Callable from any thread.
    func resumeUpload(_ exchange: ExchangeID) {
        _ = inbox.post(.resumeUpload(exchange))
    }

    /// Schedules the connection's output to be written before the loop sleeps.
    func writeLater(_ http2: HTTP2Connection) {
        guard !http2.isReceiving, !http2.isQueued else { return }
        http2.isQueued = true
        unwritten.append(http2.connection.token)
    }

    func writeQueued() {
        guard !unwritten.isEmpty else { return }
        var tokens: [UInt64] = []
        swap(&tokens, &unwritten)
        for token in tokens {
            guard let connection = connection(token), let http2 = connection.http2 else { continue }
            http2.isQueued = false
            connection.writeHTTP2()
        }
    }
}
