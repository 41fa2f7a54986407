import HTTPSyntax

/// Clients that close their side while their responses are made.
///
/// Such a client may have half-closed and still wait, or be disconnected; the server can't
/// distinguish the two. It sends a response that is ready soon. Later it probes with bytes that a
/// waiting client ignores. A disconnected client resets the connection, and its tasks are
/// cancelled.
extension Connection {
    /// Sends 100 as a probe.
    ///
    /// Every client has to accept it without having asked for it (RFC 9110 §15.2.1).
    func sendContinue() {
        loop.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        flush()
    }

    func probeSession() {
        http2?.probe()
        if timer == nil { arm(.heartbeat) }
    }
}
