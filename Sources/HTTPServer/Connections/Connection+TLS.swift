import Glibc
import HTTPSyntax
import Logging

extension Connection {
    /// Continues the TLS handshake; the head's timeout covers it.
    func handshake() {
        guard let tls else { return }
        switch tls.handshake() {
        case .wantsRead: want(.read)
        case .wantsWrite: want(.write)
        case .done: established(tls)
        case .plain:
            loop.logger.debug("TLS: rejected a plain HTTP request on the TLS port")
            // The client gets a plain response that it can read.
            self.tls = nil
            reject(.plainRequest)
        case .gone: close()
        case .failed(let reason):
            loop.logger.debug("a TLS handshake failed: \(reason)")
            lingerBehindAlert()
        }
    }

    private func established(_ tls: TLSSession) {
        // The authorities or revocation lists may have changed since the handshake began.
        guard tls.isTrusted(since: loop.tls), tls.trustEnd > loop.seconds else { return close() }
        loop.trustEnd = min(loop.trustEnd, tls.trustEnd)
        handle(.established)
        // While the server drains, it still serves the first request after the handshake.
        arm(loop.isDraining ? headTimer : .idle)
        want(.read)
        if tls.negotiatedHTTP2 { beginHTTP2() }
        if tls.hasUnread { readable() }
    }

    /// Continues the connection's beginning while the server drains, since its request is about to
    /// arrive.
    func drainHandshake() {
        if state.reading == .proxyHeader { readProxyHeader() } else { handshake() }
        switch state.reading {
        case .proxyHeader, .handshaking: arm(headTimer)
        default: break
        }
    }

    /// Handles a client that violated TLS and was sent an alert.
    func breakOff(_ tls: TLSSession) {
        loop.logger.debug("a TLS connection failed: \(tls.failure ?? "unknown")")
        lingerBehindAlert()
    }

    /// Lingers after an alert.
    ///
    /// Closing at once could reset the connection before the client reads the alert.
    private func lingerBehindAlert() {
        shutdown(fd, CInt(SHUT_WR))
        handle(.alerted)
    }
}

extension ProtocolError {
    static let plainRequest = ProtocolError(
        400,
        "this port speaks HTTPS; the request was sent in plain HTTP"
    )
}
