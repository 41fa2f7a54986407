import CLinux
import Glibc
import HTTPCodec

extension Connection {
    /// Sends an answer, or starts the task that makes it.
    @inline(__always)
    func answer(_ reply: Reply) {
        switch reply {
        case .now(let response):
            write(response)
        case .later(let operation):
            phase = .responding
            let (loop, token) = (loop, token)
            isStarting = true
            task = Task.immediate(executorPreference: loop) {
                let response = await operation()
                loop.complete(token, response)
            }
            isStarting = false
            switch phase {
            case .responding: arm(nil)
            case .awaitingHead: task = nil
            case .collectingBody, .streaming, .lingering, .closed: break
            }
        }
    }

    /// The promised answer has come: within the call that started its task, if nothing had to be
    /// waited for, and then the caller goes on with what the client sent after it.
    func complete(_ response: Response) {
        if case .streaming = phase {
            // Answered before the body's end: what is left of it can't be told from a request.
            return refuse(response)
        }
        guard case .responding = phase else { return }
        task = nil
        phase = .awaitingHead
        write(response)
        guard !isStarting else { return }
        loop.flush(self)
        resume()
    }

    /// Goes on with what the client had sent meanwhile.
    func resume() {
        guard case .awaitingHead = phase, !isBlocked, !waitsForTurn else { return }
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
        waitsForTurn = false
        resume()
    }

    /// Answers a request that broke the protocol, and closes: where the next request would begin
    /// can't be told (RFC 9112 §11.2).
    func refuse(_ error: ProtocolError) {
        refuse(loop.problem(error))
    }

    /// Answers without having read the body, and closes.
    func refuse(_ response: Response) {
        abandonStream()
        collected = 0
        input.free()
        phase = .awaitingHead
        var response = response
        response.closes = true
        write(response)
        lingersAfterOutput = true
        loop.flush(self)
    }

    /// Writes an answer into the loop's output (RFC 9112 §4, §6; RFC 9110 §6.6.1).
    func write(_ response: Response) {
        let closes = response.closes || !exchange.keepsAlive || loop.isDraining
        writeStatusLine(response.status)
        loop.output.append(loop.dateLine)
        loop.output.append(response.fields)
        switch response.body {
        case .none: break
        case .bytes(let bytes): writeLength(bytes.count, response.status)
        case .file(let file): writeLength(file.range.count, response.status)
        }
        if closes {
            closesAfterOutput = true
            // A client that didn't ask for the close may have sent more already.
            if exchange.keepsAlive { lingersAfterOutput = true }
            loop.output.append("Connection: close\r\n\r\n")
        } else if exchange.minorVersion == 0 {
            loop.output.append("Connection: keep-alive\r\n\r\n")
        } else {
            loop.output.append("\r\n")
        }
        guard !exchange.isHead, StatusLine.allowsBody(response.status) else { return }
        switch response.body {
        case .none: break
        case .bytes(let bytes): loop.output.append(bytes)
        case .file(let body): write(body)
        }
    }

    @inline(__always)
    private func writeStatusLine(_ status: UInt16) {
        if status == 200 { return loop.output.append("HTTP/1.1 200 OK\r\n") }
        loop.output.append("HTTP/1.1 ")
        loop.output.append(decimal: Int(status))
        loop.output.append(" ")
        loop.output.append(StatusLine.reason(status))
        loop.output.append("\r\n")
    }

    @inline(__always)
    private func writeLength(_ length: Int, _ status: UInt16) {
        guard StatusLine.allowsBody(status) else { return }
        loop.output.append("Content-Length: ")
        loop.output.append(decimal: length)
        loop.output.append("\r\n")
    }

    /// A small file joins its head in one send; `sendfile` pays for large ones only.
    private func write(_ body: FileBody) {
        let count = body.range.count
        guard count <= EventLoop.smallFile else {
            file = FileTransfer(body: body, offset: body.range.lowerBound, remaining: count)
            return
        }
        var done = 0
        let place = loop.output.reserve(count)
        while done < count {
            let offset = body.range.lowerBound + done
            let read = pread(body.descriptor.raw, place + done, count - done, off_t(offset))
            guard read > 0 else { break }
            done += read
        }
        // A file that shrank can't fill its announced length: the client must see a short answer,
        // not a wrong one.
        loop.output.commit(done)
        if done < count { closesAfterOutput = true }
    }

    /// The socket takes bytes again.
    func writable() {
        guard isBlocked else { return settle() }
        sendPending()
        guard !isBlocked, !closeIfDone() else { return }
        if case .awaitingHead = phase { resume() } else { settle() }
    }

    /// Sends what waits here, as far as the socket takes it, and of a file one chunk.
    func sendPending() {
        while !output.isEmpty {
            let bytes = output.bytes
            let sent = send(fd, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            guard sent > 0 else { return sendStopped(sent) }
            output.consume(sent)
        }
        guard let transfer = file else { return }
        var offset = off_t(transfer.offset)
        let chunk = min(transfer.remaining, EventLoop.fileChunk)
        let sent = sendfile(fd, transfer.body.descriptor.raw, &offset, chunk)
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
        arm(.write)
        want(.write)
    }

    /// Closes if that is due now that everything is sent; tells whether it is gone.
    func closeIfDone() -> Bool {
        guard !isBlocked else { return false }
        switch phase {
        case .responding: return false
        case .lingering, .closed: return true
        case .awaitingHead, .collectingBody, .streaming: break
        }
        if lingersAfterOutput {
            shutdown(fd, CInt(SHUT_WR))
            phase = .lingering
            arm(.linger)
            want(.read)
            return true
        }
        guard closesAfterOutput else { return false }
        close()
        return true
    }
}
