import System
import HTTPSyntax

extension Connection {
    /// Sends a response, or starts the task that makes it.
    @inline(__always)
    func send(_ reply: Reply) {
        switch reply {
        case .now(let response):
            write(response)
            guard let sending, case .stream(let stream) = response.body else { return }
            handle(.begin(isEndless: sending.heartbeat != nil))
            start { [loop] in await loop.send(stream, as: sending) }
        case .later(let operation):
            handle(.promise)
            let exchange = ExchangeID(connection: token)
            start { [loop] in await loop.perform(operation, for: exchange) }
        }
    }

    /// Starts the task that makes a response, and runs it until its first suspension.
    @inline(__always)
    private func start(_ operation: @escaping @Sendable () async -> Void) {
        task = Task.immediate(executorPreference: loop.executor, operation: operation)
        handle(.started)
    }

    /// Writes the promised response.
    ///
    /// A task that never suspends calls this within `start`.
    ///
    /// Returns the response's body if the task has to make it.
    func complete(_ response: Response) -> OutgoingBody? {
        let preparation = exchange.prepare(response)
        let hasStream = preparation.isStreamed && preparation.sendsBody
        let actions = on(.ready(hasStream: hasStream))
        if actions.contains(.rejectRequest) { reject(response) }
        guard actions.contains(.writeResponse) else { return nil }
        if fits(response, preparation) { write(response, preparation) } else { giveUp() }
        handle(sending.map { .begin(isEndless: $0.heartbeat != nil) } ?? .complete)
        return sending
    }

    /// Continues with the bytes that the client has sent in the meantime.
    func resume() {
        guard allowsRequest, !state.awaitsTurn else { return }
        if input.isEmpty {
            settle()
        } else {
            serveInput(newBytes: input.count)
            flush()
        }
        if allowsRequest, loop.isDraining { handle(.drain) }
    }

    /// Continues after the other connections were served.
    func takeTurn() {
        // Without waiting requests the turn is for the bytes that TLS has buffered.
        if state.awaitsTurn { handle(.turn) } else { readable() }
    }

    /// Rejects a request that violates the protocol, and closes the connection: the start of the
    /// next request is unknown (RFC 9112 §11.2).
    func reject(_ error: ProtocolError) {
        reject(loop.problem(error, for: peer))
    }

    /// Responds without reading the body, once the response is ready, and closes the connection.
    func reject(_ reply: Reply) {
        guard case .later = reply else {
            if case .now(let response) = reply { reject(response) }
            return
        }
        // The connection reads nothing until the response is ready.
        exchange.keepsAlive = false
        handle(.rejectLater)
        send(reply)
    }

    /// Responds without reading the body, and closes the connection.
    func reject(_ response: Response) {
        handle(.reject)
        guard state.reading == .head else { return }
        admitted = nil
        collected = 0
        input.free()
        var response = response
        response.closes = true
        write(response)
        // The client's remaining bytes can't be read, so a streamed response body isn't begun.
        sending = nil
        flush()
    }

    /// Writes the response, or a 503 in its place if too many bytes wait for slow clients.
    @inline(__always)
    func write(_ response: Response) {
        let preparation = exchange.prepare(response)
        // Cached bytes count as well: the output has a copy until the client has received it.
        guard fits(response, preparation) else { return giveUp() }
        write(response, preparation)
    }

    /// Whether the output budget allows a response.
    ///
    /// A stored body counts, too: the output has a copy of it until the client has received it.
    @inline(__always)
    private func fits(_ response: Response, _ preparation: Preparation) -> Bool {
        guard let length = preparation.length, length > OutputBudget.share,
            case .bytes = response.body, preparation.sendsBody
        else { return true }
        return allows(length)
    }

    @inline(never)
    private func giveUp() {
        let response = loop.problem(.outputFull, for: peer)
        write(response, exchange.prepare(response))
    }

    /// Writes a response into the loop's output (RFC 9112 §4, §6; RFC 9110 §6.6.1).
    @inline(__always)
    private func write(_ response: Response, _ preparation: Preparation) {
        assert(file == nil, "the previous response's file is sent first")
        writeStatusLine(response.status)
        loop.output.append(loop.dateLine)
        loop.output.append(response.fields)
        loop.output.append(loop.defaultFields[without: response.omitted.union(exchange.omitted)])
        // HTTP/1.0 has no chunks: the connection's end marks the body's end (RFC 9112 §6.1, §6.3).
        let isChunked = preparation.isStreamed && exchange.minorVersion == 1
        let endsBody = preparation.isStreamed && preparation.sendsBody && !isChunked
        if let length = preparation.length { writeLength(length) }
        if isChunked { loop.output.append("Transfer-Encoding: chunked\r\n") }
        endHead(
            closes: preparation.closes || loop.isDraining || endsBody,
            bodyLength: preparation.length ?? 0
        )
        guard preparation.sendsBody else { return }
        switch response.body {
        case .none: break
        case .bytes(let bytes): loop.output.append(bytes)
        case .file(let file): write(file)
        case .stream(let stream): sending = OutgoingBody(stream, isChunked: isChunked, to: self)
        }
    }

    /// Writes the end of a head, with the Connection field.
    @inline(__always)
    private func endHead(closes: Bool, bodyLength: Int) {
        if closes {
            // Unread bytes would reset the connection, and unsent response bytes would be lost (RFC
            // 9112 §9.6, §2.2). A client that didn't ask for the close may have sent more. So may
            // one that sends a line end after a body, or one that receives a large body slowly.
            let mayReceiveMore =
                exchange.keepsAlive || interest != .read || bodyLength > LoopResources.smallFile
            handle(.last(mayReceiveMore: mayReceiveMore))
            loop.output.append("Connection: close\r\n\r\n")
        } else if exchange.minorVersion == 0 {
            loop.output.append("Connection: keep-alive\r\n\r\n")
        } else {
            loop.output.append("\r\n")
        }
    }

    @inline(__always)
    private func writeStatusLine(_ status: UInt16) {
        if status == 200 { return loop.output.append("HTTP/1.1 200 OK\r\n") }
        loop.output.append("HTTP/1.1 ")
        loop.output.append(decimal: Int(status))
        loop.output.append(" ")
        loop.output.append(StatusCode.reason(status))
        loop.output.append("\r\n")
    }

    @inline(__always)
    private func writeLength(_ length: Int) {
        loop.output.append("Content-Length: ")
        loop.output.append(decimal: length)
        loop.output.append("\r\n")
    }

    /// Writes a file.
    ///
    /// A small file joins its head in one send; `sendfile` pays only for large ones.
    private func write(_ body: FileBody) {
        let count = body.range.count
        guard count <= LoopResources.smallFile else {
            file = FileTransfer(body: body, offset: body.range.lowerBound, remaining: count)
            return
        }
        let place = loop.output.reserve(count)
        let done = body.descriptor.read(count, at: body.range.lowerBound, to: place)
        // A file that shrank can't fill its announced length. The client must see a short response,
        // not a wrong one.
        loop.output.commit(done)
        if done < count { handle(.truncated) }
    }
}
