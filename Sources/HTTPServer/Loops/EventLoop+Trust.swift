import Logging

extension EventLoop {
    /// Uses a context for new connections.
    ///
    /// Closes the open connections whose client certificates its authorities and revocation lists
    /// reject: a connection may live long after its certificate was revoked.
    func take(_ context: TLSContext) {
        let trust = resources.tls?.clientTrust
        resources.tls = context
        guard trust != context.clientTrust else { return }
        closeRejected(by: context, "its client's certificate isn't valid any more")
    }

    /// Closes the connections whose client certificates a context rejects.
    private func closeRejected(by context: TLSContext, _ reason: String) {
        // Clients share certificates, and a check verifies several signatures.
        var trusted: Set<[UInt8]> = []
        for connection in connections.all {
            guard let session = connection.tls, let digest = session.clientDigest,
                !trusted.contains(digest)
            else { continue }
            if session.isTrusted(by: context) {
                trusted.insert(digest)
            } else {
                resources.logger.info("TLS: closed a connection: \(reason)")
                connection.close()
            }
        }
    }

    /// Closes the connections whose client certificates have expired, or for which a revocation
    /// list has, with their streams.
    ///
    /// Runs before a turn's events, so no later request is served.
    @inline(__always)
    func closeExpired() {
        guard nextEnd <= resources.seconds else { return }
        closeExpiredCertificates()
        closeUncovered()
    }

    private func closeExpiredCertificates() {
        var next = Int.max
        for connection in connections.all {
            guard let end = connection.tls?.trustEnd else { continue }
            if end <= resources.seconds {
                resources.logger.info(
                    "TLS: closed a connection: its client's certificate has expired"
                )
                connection.close()
            } else {
                next = min(next, end)
            }
        }
        resources.trustEnd = next
    }

    /// Closes the connections for whose client certificates no revocation list is current.
    ///
    /// A new handshake with such a certificate fails, too (RFC 5280 §6.3).
    private func closeUncovered() {
        guard resources.listEnd <= resources.seconds, let context = resources.tls else { return }
        resources.listEnd = context.listEnd(after: resources.seconds)
        closeRejected(
            by: context,
            "the revocation list for its client's certificate has expired; replace the list"
        )
    }

    /// The time at which the next client certificate or revocation list expires.
    private var nextEnd: Int { min(resources.trustEnd, resources.listEnd) }

    /// The milliseconds on the loop's clock at which the next client certificate or revocation list
    /// expires.
    ///
    /// At most a minute ahead, because the system's time may be set.
    var trustDue: Int {
        guard nextEnd < .max else { return .max }
        let seconds = max(0, nextEnd - resources.seconds)
        return resources.milliseconds + min(60, seconds) * 1000
    }
}
