import System
import CLinux
import Glibc
import HTTPSyntax

extension Connection {
    /// Sends an answer, or starts the task that makes it.
    @inline(__always)
    func answer(_ reply: Reply) {
        switch reply {
        case .now(let response):
            write(response)
            guard let sending, case .stream(let stream) = response.body else { return }
            phase = .responding
            start { [loop, token] in await loop.send(stream, as: sending, to: token) }
        case .later(let operation):
            phase = .responding
            start { [loop, token] in await loop.perform(operation, for: token) }
        }
    }

    /// Starts the task that makes an answer, and runs it until it first has to wait.
    @inline(__always)
    private func start(_ operation: @escaping @Sendable () async -> Void) {
        isStarting = true
        // A client that has closed its side is asked for each of its requests anew.
        isHungUp = false
        task = Task.immediate(executorPreference: loop, operation: operation)
        isStarting = false
        switch phase {
        case .responding: arm(nil)
        case .awaitingHead: task = nil
        case .handshaking, .collectingBody, .streaming, .lingering, .http2, .closed: break
        }
    }

    /// The promised answer has come: within the call that started its task, if nothing had to be
    /// waited for, and then the caller goes on with what the client sent after it.
    ///
    /// Returns the answer's body if the task has to go on with it.
    func complete(_ response: Response) -> OutgoingBody? {
        switch phase {
        case .streaming:
            // Answered before the body's end: what is left of it can't be told from a request,
            // unless the answer takes its time, too.
            guard case .stream = response.body else {
                refuse(response)
                return nil
            }
        case .responding: break
        case .handshaking, .awaitingHead, .collectingBody, .lingering, .http2, .closed: return nil
        }
        write(response)
        if sending != nil {
            if !isStarting { loop.flush(self) }
            return sending
        }
        task = nil
        phase = .awaitingHead
        guard !isStarting else { return nil }
        loop.flush(self)
        resume()
        return nil
    }

    /// Goes on with what the client had sent meanwhile.
    func resume() {
        guard case .awaitingHead = phase, !isBlocked, !waitsForTurn else { return }
        loop.counters.serving = fd
        if input.isEmpty {
            settle()
        } else {
            serveInput(newBytes: input.count)
            loop.flush(self)
        }
        if case .awaitingHead = phase, !isBlocked, loop.isDraining { drain() }
    }

    /// The other connections have had their turn.
    func takeTurn() {
        // Its turn to read what TLS holds.
        guard waitsForTurn else { return readable() }
        waitsForTurn = false
        resume()
    }

    /// Answers a request that broke the protocol, and closes: where the next request would begin
    /// can't be told (RFC 9112 §11.2).
    func refuse(_ error: ProtocolError) {
        refuse(loop.problem(error))
    }

    /// Answers without having read the body, as soon as the answer is there, and closes.
    func refuse(_ reply: Reply) {
        guard case .later = reply else {
            if case .now(let response) = reply { refuse(response) }
            return
        }
        // Nothing is read until then.
        exchange.keepsAlive = false
        lingersAfterOutput = true
        answer(reply)
    }

    /// Answers without having read the body, and closes.
    func refuse(_ response: Response) {
        // An answer that has begun can't become another.
        guard sending == nil else { return close() }
        abandonStream()
        collected = 0
        input.free()
        phase = .awaitingHead
        var response = response
        response.closes = true
        write(response)
        // What the client still sends can't be read, so a body that takes its time isn't begun.
        if sending != nil {
            sending = nil
            closesAfterOutput = true
        }
        lingersAfterOutput = true
        loop.flush(self)
    }

    /// Writes an answer into the loop's output (RFC 9112 §4, §6; RFC 9110 §6.6.1).
    func write(_ response: Response) {
        assert(file == nil, "the file before goes out first")
        var closes = response.closes || !exchange.keepsAlive || loop.isDraining
        writeStatusLine(response.status)
        loop.output.append(loop.dateLine)
        loop.output.append(response.fields)
        let allowsBody = StatusCode.allowsBody(response.status)
        switch response.body {
        case .none:
            // Without a length a client would wait for the connection's end.
            assert(!allowsBody)
            endHead(closes: closes, bodyLength: 0)
        case .bytes(let bytes):
            if allowsBody { writeLength(bytes.count) }
            endHead(closes: closes, bodyLength: bytes.count)
            if allowsBody, !exchange.isHead { loop.output.append(bytes) }
        case .file(let file):
            if allowsBody { writeLength(file.range.count) }
            endHead(closes: closes, bodyLength: file.range.count)
            if allowsBody, !exchange.isHead { write(file) }
        case .stream(let stream):
            if allowsBody { begin(stream, &closes) }
            endHead(closes: closes, bodyLength: 0)
        }
    }

    /// Writes the last of a head: whether the connection goes on.
    @inline(__always)
    private func endHead(closes: Bool, bodyLength: Int) {
        if closes {
            closesAfterOutput = true
            // A client that didn't ask for the close may have sent more already, some send a line end
            // behind a body, and one that takes its time for a large body may send more meanwhile. What
            // isn't read resets the connection, and takes with it what is still on its way (RFC 9112
            // §9.6, §2.2).
            if exchange.keepsAlive || interest != .read || bodyLength > EventLoop.smallFile {
                lingersAfterOutput = true
            }
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

    /// Begins a body that is made while it is sent: in chunks, which HTTP/1.0 doesn't know; there the
    /// end of the connection is the body's end (RFC 9112 §6.1, §6.3).
    private func begin(_ stream: ResponseStream, _ closes: inout Bool) {
        let isChunked = exchange.minorVersion == 1
        if isChunked { loop.output.append("Transfer-Encoding: chunked\r\n") }
        guard !exchange.isHead else { return }
        if !isChunked { closes = true }
        sending = OutgoingBody(stream, isChunked: isChunked)
    }

    /// A small file joins its head in one send; `sendfile` pays for large ones only.
    private func write(_ body: FileBody) {
        let count = body.range.count
        guard count <= EventLoop.smallFile else {
            file = FileTransfer(body: body, offset: body.range.lowerBound, remaining: count)
            return
        }
        let place = loop.output.reserve(count)
        let done = body.descriptor.read(count, at: body.range.lowerBound, to: place)
        // A file that shrank can't fill its announced length: the client must see a short answer,
        // not a wrong one.
        loop.output.commit(done)
        if done < count { closesAfterOutput = true }
    }

    /// Whether something follows at once what is sent now: a file, or the connection's end, which
    /// shares the last packet then.
    var sendsMore: Bool { file != nil || closesAfterOutput && sending == nil }

    /// The socket takes bytes again.
    func writable() {
        loop.counters.serving = fd
        if case .handshaking = phase { return handshake() }
        guard isBlocked else { return http2 == nil ? settle() : writableHTTP2() }
        tls?.awaitsSocket = false
        sendPending()
        if output.count < OutgoingBody.window { sending?.resume(true) }
        guard !isBlocked, !closeIfDone() else { return }
        if http2 != nil { return writableHTTP2() }
        if case .awaitingHead = phase { resume() } else { settle() }
    }

    /// Sends what waits here, as far as the socket takes it, and of a file one chunk.
    func sendPending() {
        while !output.isEmpty {
            let bytes = output.bytes
            let sent = transmit(bytes)
            guard sent > 0 else { return sendStopped(sent) }
            output.consume(sent)
        }
        guard let transfer = file else { return }
        let sent = transmit(transfer, count: min(transfer.remaining, EventLoop.fileChunk))
        // 0: the file is shorter than it was.
        guard sent != 0 else { return close() }
        guard sent > 0 else { return sendStopped(sent) }
        file?.offset += sent
        file?.remaining -= sent
        if transfer.remaining == sent { file = nil } else { awaitSocket() }
    }

    private func sendStopped(_ result: Int) {
        switch errno {
        case EINTR, EAGAIN: awaitSocket()
        default: close()
        }
    }

    /// Waits until the socket takes more.
    ///
    /// Nothing is read meanwhile: a client that has closed only its side still gets its answer, and
    /// one that is gone is an error.
    private func awaitSocket() {
        // What the client sends until it has read all would reset the connection when it is closed.
        if closesAfterOutput { lingersAfterOutput = true }
        armWrite()
        want(.write)
    }

    /// Closes if that is due now that everything is sent; tells whether it is gone.
    func closeIfDone() -> Bool {
        guard !isBlocked, sending == nil else { return false }
        switch phase {
        case .handshaking, .responding: return false
        case .lingering, .closed: return true
        case .awaitingHead, .collectingBody, .streaming: break
        case .http2:
            guard http2?.isFinished ?? true else { return false }
            endHTTP2()
        }
        if lingersAfterOutput {
            guard endTransmission() else { return false }
            phase = .lingering
            arm(.linger)
            want(.read)
            return true
        }
        guard closesAfterOutput else { return false }
        // Before the close, which drops what is held back for the end if the client has sent more.
        guard endTransmission() else { return false }
        close()
        return true
    }
}
