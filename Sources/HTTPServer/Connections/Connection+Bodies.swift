import HTTPSyntax

/// The bodies of requests: collected, or passed to a task.
extension Connection {
    /// Begins a request with a body.
    ///
    /// Returns the number of bytes used.
    func beginBody(
        _ request: borrowing IncomingRequest,
        _ bytes: ByteSpan,
        _ collecting: Collecting,
        announced: Int
    ) -> Int {
        let headLength = request.head.length
        // `announced` comes from the client: adding to it before the check could overflow.
        let isHere = announced > 0 && bytes.count - headLength >= announced
        if isHere, announced <= loop.responder.bodyLimit {
            let end = headLength + announced
            send(loop.responder.respond(request, body: bytes.slice(headLength, end)))
            return end
        }
        let isStream: Bool
        switch loop.responder.admit(request) {
        case .reject(let reply):
            reject(reply)
            return bytes.count
        case .collect(let limit, let request):
            (bodyLimit, admitted, isStream) = (limit, request, false)
        case .stream(let limit, let request):
            (bodyLimit, admitted, isStream) = (limit, request, true)
        }
        guard announced <= bodyLimit else {
            reject(.bodyTooLarge)
            return bytes.count
        }
        if request.head.expectsContinue, bytes.count == headLength {
            loop.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
        if isStream { return beginStream(request.place, bytes, collecting) }
        input.append(bytes.slice(0, headLength))
        self.collecting = collecting
        self.headLength = headLength
        (received, bodyProgress) = (0, 0)
        handle(.collect)
        return receiveBody(bytes, from: headLength)
    }

    /// Adds body bytes to `input`, or passes them to the task that streams them.
    ///
    /// Returns the number of bytes used.
    func receiveBody(_ bytes: ByteSpan, from start: Int) -> Int {
        var (offset, hasRoom) = (start, true)
        switch collecting {
        case .length(let remaining):
            let count = min(remaining, bytes.count - start)
            hasRoom = storeBody(bytes.slice(start, start + count))
            offset += count
            collecting = .length(remaining: remaining - count)
            if count == remaining { return finishBody(bytes, offset) }
        case .chunked(var decoder):
            reading: while true {
                switch decoder.next(bytes, &offset) {
                case .data(let range):
                    guard received + range.count <= bodyLimit else {
                        return reject(.bodyTooLarge, instead: bytes)
                    }
                    hasRoom = storeBody(bytes.slice(range.lowerBound, range.upperBound))
                case .needsMore: break reading
                case .end(let end): return finishBody(bytes, end)
                case .failed(let error): return reject(error, instead: bytes)
                }
            }
            collecting = .chunked(decoder)
            // A chunk that exceeds the limit is rejected by its size, before its data.
            guard stream != nil || received + decoder.announced <= bodyLimit else {
                return reject(.bodyTooLarge, instead: bytes)
            }
        }
        if stream == nil { collected = received }
        guard
            stream == nil
                ? loop.counters.collected.value <= loop.bodyBudget
                : hasRoom || !loop.untaken.areTooMany
        else { return reject(.tooManyBodies, instead: bytes) }
        if hasRoom { countBodyProgress(offset - start) } else { handle(.filled) }
        return offset
    }

    /// Stores body bytes; returns false if the task has no room for more.
    private func storeBody(_ bytes: ByteSpan) -> Bool {
        received += bytes.count
        if let stream { return stream.yield(bytes) }
        input.append(bytes)
        return true
    }

    /// Rejects a request in the middle of its body; all the bytes count as used.
    private func reject(_ error: ProtocolError, instead bytes: ByteSpan) -> Int {
        reject(error)
        return bytes.count
    }

    /// Counts received body bytes; a body slower than `minimumRate` times out like a stopped one.
    func countBodyProgress(_ count: Int) {
        bodyProgress += count
        guard bodyProgress >= loop.minimumBodyProgress else { return }
        bodyProgress = 0
        arm(.body)
    }

    private func finishBody(_ bytes: ByteSpan, _ end: Int) -> Int {
        if let stream {
            self.stream = nil
            stream.finish()
            handle(.streamed)
            return end
        }
        var buffer = OwnedBytes()
        swap(&buffer, &input)
        collected = 0
        handle(.collected)
        // The head was valid when it arrived. It is parsed again because its spans pointed into
        // that buffer.
        guard case .complete = loop.parser.parse(buffer.bytes) else {
            reject(ProtocolError(500, "the request's head can't be parsed again"))
            return bytes.count
        }
        let body = buffer.bytes.slice(headLength, buffer.count)
        let request = IncomingRequest(loop.parser.headPlace, from: peer, admitted: admitted.take())
        send(loop.responder.respond(request, body: body))
        return end
    }
}
