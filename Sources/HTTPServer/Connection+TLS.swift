import Glibc
import HTTPSyntax
import Logging

extension Connection {
    /// Takes the TLS handshake further; the head's timer runs until it is done.
    func handshake() {
        guard let tls else { return }
        switch tls.handshake() {
        case .wantsRead: want(.read)
        case .wantsWrite: want(.write)
        case .done: established(tls)
        case .plain:
            loop.logger.debug("a plain request came to the TLS port")
            // It gets a response that it can read.
            self.tls = nil
            reject(.plainRequest)
        case .gone: close()
        case .failed(let reason):
            loop.logger.debug("a TLS handshake failed: \(reason)")
            lingerBehindAlert()
        }
    }

    private func established(_ tls: TLSSession) {
        handle(.established)
        // A server that drains still serves the request that the handshake was for.
        arm(loop.isDraining ? headTimer : .idle)
        want(.read)
        if tls.negotiatedHTTP2 { beginHTTP2() }
        if tls.hasUnread { readable() }
    }

    /// The server stops: a handshake that has begun goes on, since its request is as good as here.
    func drainHandshake() {
        handshake()
        guard state.reading == .handshaking else { return }
        if tls?.hasBegun == true { arm(headTimer) } else { close() }
    }

    /// The client broke TLS and was sent an alert.
    func breakOff(_ tls: TLSSession) {
        loop.logger.debug("a TLS connection broke: \(tls.failure ?? "unknown")")
        lingerBehindAlert()
    }

    /// Gives up after an alert: closing at once would reset the connection where the client has
    /// sent more, and might take the alert from it.
    private func lingerBehindAlert() {
        shutdown(fd, CInt(SHUT_WR))
        handle(.alerted)
    }
}

extension ProtocolError {
    static let plainRequest = ProtocolError(
        400,
        "this port speaks HTTPS; the request came in plain HTTP"
    )
}
