extension ConnectionState {
    /// Changes the state by an event and returns the actions to perform.
    ///
    /// An event that the current state doesn't expect changes nothing. `isBlocked` is true if
    /// output waits for the socket.
    ///
    /// Inlined, so that a call with a constant event compiles to that event's case.
    @inline(__always)
    mutating func on(_ event: Event, isBlocked: Bool) -> Actions {
        guard reading != .closed else { return [] }
        switch event {
        case .readable(let isHungUp):
            let actions = readable(isHungUp, isBlocked)
            return isHungUp ? actions.union(.noteUnread) : actions
        case .exhausted: return isBlocked ? .settle : []
        case .ended:
            // Half a request is no request (RFC 9112 §8).
            guard reading == .http2 else { return .close }
            isHungUp = true
            return isBlocked ? [.hangUpSession, .settle] : [.hangUpSession, .writeSession]
        case .failed: return .close
        case .blocked:
            // Bytes that the client sends before it has read everything would reset the closed
            // connection.
            if ending == .closes { ending = .lingers }
            return [.armWrite, .settle]
        case .writable: return writable(isBlocked)
        case .flushed: return flushed(isBlocked)
        case .shutDown:
            guard ending == .lingers else { return .close }
            (reading, sending) = (.lingering, .nothing)
            return [.armLinger, .settle]
        case .close:
            (reading, sending) = (.closed, .nothing)
            return []
        case .proxied(let isSecure):
            return isSecure
                ? go(from: .proxyHeader, to: .handshaking, .handshake)
                : go(from: .proxyHeader, to: .head, [.read, .settle])
        case .established: return go(from: .handshaking, to: .head)
        case .alerted:
            (reading, sending) = (.lingering, .nothing)
            return [.abandonAll, .armLinger, .settle]
        case .excess:
            // Closing the socket with unread bytes resets the connection and may lose the response
            // (RFC 9112 §9.6).
            ending = .lingers
            return []
        case .shared:
            awaitsTurn = true
            return .queueTurn
        case .turn:
            awaitsTurn = false
            return .resume
        case .beginHTTP2: return go(from: .head, to: .http2)
        case .endHTTP2(let isAtOnce):
            ending = max(ending, isAtOnce ? .closes : .lingers)
            return []
        case .collect: return go(from: .head, to: .collecting, .armBody)
        case .collected: return go(from: .collecting, to: .head)
        case .stream: return go(from: .head, to: .streaming, .armBody)
        case .filled: return go(from: .streaming, to: .full)
        // The client's end is read after the rest of the body, which may be complete.
        case .drained: return isStreaming ? go(to: .streaming, .settle) : []
        case .streamed: return isStreaming ? go(to: .responding, .disarm) : []
        case .rejectLater:
            ending = .lingers
            return []
        case .reject: return reject()
        // Clears `isHungUp`: a client that has half-closed is probed for each of its requests.
        case .promise: return go(from: .head, to: .starting)
        case .started: return started()
        case .ready(let hasStream): return ready(hasStream)
        case .begin(let isEndless): return begin(isEndless ? .endlessBody : .body)
        case .complete: return isMakingResponse && sending == .nothing ? complete() : []
        case .bodyEnded: return bodyEnded()
        case .bodyBroke:
            if sending != .nothing { ending = max(ending, .closes) }
            return bodyEnded()
        case .truncated:
            ending = max(ending, .closes)
            return []
        case .last(let mayReceiveMore):
            ending = max(ending, mayReceiveMore ? .lingers : .closes)
            return []
        case .timer(let kind, let allowsInterim):
            return reading == .http2 ? sessionTimer(kind) : timer(kind, allowsInterim)
        case .drain: return drain(isBlocked)
        case .idle:
            ending = max(ending, .closes)
            return .flush
        }
    }

    @inline(__always)
    private mutating func go(to next: Reading, _ actions: Actions = []) -> Actions {
        (reading, isHungUp) = (next, false)
        return actions
    }

    @inline(__always)
    private mutating func go(
        from previous: Reading,
        to next: Reading,
        _ actions: Actions = []
    ) -> Actions {
        reading == previous ? go(to: next, actions) : []
    }

    @inline(__always)
    private mutating func readable(_ isHungUp: Bool, _ isBlocked: Bool) -> Actions {
        guard !isBlocked, !awaitsTurn else { return .noteUnread }
        switch reading {
        case .proxyHeader: return .readProxyHeader
        case .handshaking: return .handshake
        case .head, .collecting, .streaming, .http2: return .read
        case .full where !isHungUp: return .settle
        case .starting, .responding, .paused:
            guard isHungUp else {
                if reading == .responding { reading = .paused }
                return .settle
            }
            fallthrough
        case .full:
            self.isHungUp = true
            return [.armHangUp, .settle]
        case .lingering: return .drop
        case .closed: return []
        }
    }

    private func writable(_ isBlocked: Bool) -> Actions {
        switch reading {
        case .handshaking: .handshake
        case _ where isBlocked: .send
        case .http2: [.armWrite, isHungUp ? [] : .readBeforeCheck, .writeRoom]
        case .head where !awaitsTurn: .resume
        default: .settle
        }
    }

    /// Returns `.shutDown` if everything is sent and the connection is to end.
    @inline(__always)
    private func flushed(_ isBlocked: Bool) -> Actions {
        guard ending != .persists, !isBlocked, sending == .nothing else { return [] }
        return switch reading {
        case .head, .collecting, .streaming, .full, .http2: .shutDown
        case .proxyHeader, .handshaking, .starting, .responding, .paused, .lingering, .closed: []
        }
    }

    /// Ends the request without its rest.
    ///
    /// The start of the next request is unknown (RFC 9112 §11.2).
    private mutating func reject() -> Actions {
        switch reading {
        // A response that has begun can't be replaced.
        case _ where sending != .nothing: return .close
        case .handshaking, .head, .collecting, .streaming, .full:
            ending = .lingers
            return go(to: .head, .abandonBody)
        case .proxyHeader, .starting, .responding, .paused, .http2, .lingering, .closed: return []
        }
    }

    @inline(__always)
    private mutating func started() -> Actions {
        reading == .head ? .releaseTask : go(from: .starting, to: .responding, .disarm)
    }

    @inline(__always)
    private mutating func begin(_ body: Sending) -> Actions {
        guard reading == .head || isMakingResponse || isStreaming else { return [] }
        sending = body
        if reading == .head { return go(to: .starting) }
        return reading == .starting ? [] : .flush
    }

    @inline(__always)
    private func ready(_ hasStream: Bool) -> Actions {
        switch reading {
        case .starting, .responding, .paused: .writeResponse
        // The unread rest of the body would be parsed as a request, unless the response is
        // streamed, too.
        case .streaming, .full: hasStream ? .writeResponse : .rejectRequest
        case .proxyHeader, .handshaking, .head, .collecting, .http2, .lingering, .closed: []
        }
    }

    /// Ends the exchange after its response.
    ///
    /// If the call that started the task is still running, it continues with the client's next
    /// bytes. Otherwise the connection does.
    @inline(__always)
    private mutating func complete() -> Actions {
        go(to: .head, reading == .starting ? [] : [.releaseTask, .flush, .resume])
    }

    private mutating func bodyEnded() -> Actions {
        guard sending != .nothing else { return [] }
        sending = .nothing
        guard isStreaming else { return complete() }
        // The unread rest of the request's body would be parsed as a request.
        ending = .lingers
        return complete().union(.abandonBody)
    }

    private func timer(_ kind: TimerKind, _ allowsInterim: Bool) -> Actions {
        switch kind {
        case .head where reading == .proxyHeader: .rejectLateProxyHeader
        case .head: reading == .handshaking ? .close : .rejectLateHead
        case .body: .rejectLateBody
        case .heartbeat where !isHungUp: [.sendHeartbeat, .settle]
        case .hangUp, .heartbeat: probe(allowsInterim)
        case .write: .checkTaken
        case .linger where reading == .proxyHeader: .rejectLateProxyHeader
        case .idle, .linger, .streams: .close
        }
    }

    /// Returns the probe for a client that has half-closed: bytes that a waiting client ignores.
    ///
    /// A disconnected client resets the connection.
    ///
    /// A response that allows no such bytes is cancelled.
    private func probe(_ allowsInterim: Bool) -> Actions {
        switch (sending, reading) {
        case (.endlessBody, _): [.sendHeartbeat, .settle]
        case (.nothing, _) where allowsInterim: .sendContinue
        // The body may be complete, and the client may wait for its response.
        case (_, .streaming), (_, .full): []
        default: .cancelTask
        }
    }

    private func sessionTimer(_ kind: TimerKind) -> Actions {
        switch kind {
        case .idle, .linger: [.endSession, .writeSession]
        case .head: [.failSession, .writeSession]
        case .streams: [.checkStreams, .writeSession]
        case .write: isHungUp ? .checkTaken : [.checkTaken, .readBeforeCheck]
        case .hangUp, .heartbeat: [.probeSession, .writeSession]
        case .body: .close
        }
    }

    private func drain(_ isBlocked: Bool) -> Actions {
        switch reading {
        case .http2: [.drainSession, .writeSession]
        // An endless body ends when the server drains.
        case _ where sending == .endlessBody: .cancelTask
        case .proxyHeader, .handshaking: .drainHandshake
        case .head where !isBlocked: .endIfIdle
        default: []
        }
    }
}
