import Logging

/// The tasks of exchanges in both protocols.
extension LoopResources {
    /// Makes a promised response and passes it to its exchange, if that still exists.
    ///
    /// Then sends the pieces of a streamed body.
    nonisolated(nonsending)
        func perform(_ work: Reply.Work, for exchange: ExchangeID) async
    {
        let response = await work()
        guard let body = registry?.complete(exchange, response),
            case .stream(let source) = response.body
        else {
            return
        }
        await send(source, as: body)
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
}
