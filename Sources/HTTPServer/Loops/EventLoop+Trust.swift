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
        // Clients share certificates, and a check verifies several signatures.
        var trusted: Set<[UInt8]> = []
        for connection in connections.all {
            guard let session = connection.tls, let digest = session.clientDigest,
                !trusted.contains(digest)
            else { continue }
            if session.isTrusted(by: context) {
                trusted.insert(digest)
            } else {
                resources.logger.info(
                    "TLS: closed a connection: its client's certificate isn't valid any more"
                )
                connection.close()
            }
        }
    }

    /// Closes the connections whose client certificates have expired, with their streams.
    ///
    /// Runs before a turn's events, so no later request is served.
    func closeExpired() {
        guard resources.trustEnd <= resources.seconds else { return }
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

    /// The milliseconds on the loop's clock at which the next client certificate expires.
    ///
    /// At most a minute ahead, because the system's time may be set.
    var trustDue: Int {
        guard resources.trustEnd < .max else { return .max }
        let seconds = max(0, resources.trustEnd - resources.seconds)
        return resources.milliseconds + min(60, seconds) * 1000
    }
}
