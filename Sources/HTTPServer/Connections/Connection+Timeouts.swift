import HTTPSyntax

/// The effects of expired timers.
extension Connection {
    /// Handles an expired timer.
    func timeOut(_ kind: TimerKind) {
        handle(.timer(kind, allowsInterim: allowsInterim))
    }

    /// Whether the client understands an interim response: HTTP/1.0 has none (RFC 9110 §15.2).
    var allowsInterim: Bool { exchange.minorVersion == 1 }

    func rejectLateHead() {
        client = address
        exchange = Exchange(isHead: beginsWithHEAD)
        reject(ProtocolError(408, "the head didn't arrive in time"))
    }

    /// Closes the connection of a client that has received too little since the timer was armed.
    ///
    /// The kernel reports writability only after a good part of its buffer is acknowledged, which
    /// may be megabytes.
    func checkTaken() {
        let taken = acknowledged - acknowledgedBefore
        if taken >= loop.minimumTaken { armWrite() } else { cutOff() }
    }

    /// Closes the connection and discards unsent bytes.
    ///
    /// The kernel would otherwise hold them for this client for minutes.
    func cutOff() {
        dropTransmission()
        close()
    }

    var headTimer: TimerKind { ConnectionState.headTimer(loop.isDraining) }

    /// Whether the partial head is that of a HEAD request, whose response has no body.
    private var beginsWithHEAD: Bool {
        var bytes = input.bytes
        if bytes.count > 2, bytes[0] == 0x0D { bytes = bytes.slice(2, bytes.count) }
        return bytes.count >= 5 && bytes.slice(0, 5).equals("HEAD ")
    }
}
