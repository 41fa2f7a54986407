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
}
