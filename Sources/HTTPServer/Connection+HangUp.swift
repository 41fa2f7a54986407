import HTTPSyntax

/// A client that sends nothing more while its responses are made.
///
/// It may have closed its side alone and wait for them, or be gone: its end looks the same. So a
/// response that comes soon is sent, and after a while something that means nothing to a client that
/// waits. One that is gone resets the connection, and its tasks are cancelled.
extension Connection {
    /// 100 may be sent unasked, and is the one interim response that every client knows (RFC 9110
    /// §15.2.1).
    func sendContinue() {
        loop.output.append("HTTP/1.1 100 Continue\r\n\r\n")
        loop.flush(self)
    }

    func probeSession() {
        http2?.probe()
        if timer == nil { arm(.heartbeat) }
    }
}
