/// The meaning of the fields that govern connection and framing.
///
/// They are collected line by line, and checked when the head is complete (RFC 9112 §3.2, §6, §9.3;
/// RFC 9110 §7.2, §8.6, §10.1.1).
struct FieldSemantics {
    private var host: ByteSpan?
    private var contentLength: Int?
    private var isChunked = false
    private var hasTransferEncoding = false
    private var hasUnknownCoding = false
    private var close = false
    private var keepAlive = false
    private var expectsContinue = false
    private var hasUnknownExpectation = false
    private var namesUpgrade = false
    private var namesSettings = false
    private var offersHTTP2 = false
    private var settings = 0
    private var isKnownElsewhere = false
    private var isFromBrowser = false
    private var demands: RareFields = []

    /// Records a field line; the length of the name excludes most lines without a comparison.
    @inline(__always)
    mutating func note(_ line: FieldLine) throws(ProtocolError) {
        switch line.name.count {
        case 4 where line.name.equals(lowercase: "host"): try noteHost(line.value)
        case 6 where line.name.equals(lowercase: "expect"): noteExpectation(line.value)
        case 6 where line.name.equals(lowercase: "origin"): isFromBrowser = true
        case 7 where line.name.equals(lowercase: "upgrade"): noteUpgrade(line.value)
        case 8 where line.name.equals(lowercase: "if-match"): demands.insert(.match)
        case 10 where line.name.equals(lowercase: "connection"): noteConnection(line.value)
        case 11 where line.name.equals(lowercase: "traceparent"): isKnownElsewhere = true
        case 12 where line.name.equals(lowercase: "x-request-id"): isKnownElsewhere = true
        case 13 where line.name.equals(lowercase: "if-none-match"): demands.insert(.match)
        case 14 where line.name.equals(lowercase: "http2-settings"): settings += 1
        case 14 where line.name.equals(lowercase: "sec-fetch-site"): isFromBrowser = true
        case 14 where line.name.equals(lowercase: "content-length"): try noteLength(line.value)
        case 15 where line.name.equals(lowercase: "request-timeout"): demands.insert(.timeout)
        case 15 where line.name.equals(lowercase: "idempotency-key"): demands.insert(.idempotency)
        case 15 where line.name.equals(lowercase: "plugboard-guard"): demands.insert(.reports)
        case 17 where line.name.equals(lowercase: "transfer-encoding"):
            try noteTransferEncoding(line.value)
        default: break
        }
    }

    private mutating func noteHost(_ value: ByteSpan) throws(ProtocolError) {
        guard host == nil else { throw .bad("more than one Host") }
        guard value.isEmpty || Authority.isValid(value) else { throw .bad("an invalid Host") }
        host = value
    }

    private mutating func noteExpectation(_ value: ByteSpan) {
        value.forEachListMember { member in
            if member.equals(lowercase: "100-continue") {
                expectsContinue = true
            } else {
                hasUnknownExpectation = true
            }
            return true
        }
    }

    @inline(__always)
    private mutating func noteConnection(_ value: ByteSpan) {
        value.forEachListMember { option in
            if option.equals(lowercase: "close") {
                close = true
            } else if option.equals(lowercase: "keep-alive") {
                keepAlive = true
            } else if option.equals(lowercase: "upgrade") {
                namesUpgrade = true
            } else if option.equals(lowercase: "http2-settings") {
                namesSettings = true
            }
            return true
        }
    }

    private mutating func noteUpgrade(_ value: ByteSpan) {
        value.forEachListMember { protocolName in
            if protocolName.equals(lowercase: "h2c") { offersHTTP2 = true }
            return true
        }
    }

    /// Records a Content-Length, which must be one number of digits only.
    ///
    /// A list is rejected, even one of equal values (RFC 9110 §8.6 allows either).
    @inline(__always)
    private mutating func noteLength(_ value: ByteSpan) throws(ProtocolError) {
        guard contentLength == nil else { throw .bad("more than one Content-Length") }
        contentLength = try value.contentLength()
    }

    /// Records a Transfer-Encoding, which must be `chunked` once, as the last coding (RFC 9112
    /// §6.1, §7).
    private mutating func noteTransferEncoding(_ value: ByteSpan) throws(ProtocolError) {
        hasTransferEncoding = true
        var repeated = false
        var isEmpty = true
        value.forEachListMember { coding in
            isEmpty = false
            if isChunked {
                repeated = true
            } else if coding.equals(lowercase: "chunked") {
                isChunked = true
            } else {
                hasUnknownCoding = true
            }
            return true
        }
        guard !repeated else { throw .bad("a coding after chunked, or chunked twice") }
        // A proxy may read only the first of two lines.
        guard !isEmpty else { throw .bad("a Transfer-Encoding without a coding") }
    }

    /// Checks the fields together and applies them to an HTTP/1.1 head.
    func apply(to head: inout RequestHead) throws(ProtocolError) {
        if head.minorVersion == 1, host == nil { throw .bad("HTTP/1.1 without Host") }
        if head.form != .absolute, head.form != .authority, let host {
            // Otherwise the target would be an http URI without a host, which is invalid (RFC 9110
            // §4.2.1).
            guard !host.isEmpty else { throw .bad("an empty Host") }
            head.authority = host
        }
        head.framing = try framing(minorVersion: head.minorVersion)
        head.isKnownElsewhere = isKnownElsewhere
        head.isFromBrowser = isFromBrowser
        head.demands = demands
        head.keepsAlive = !close && (head.minorVersion == 1 || keepAlive)
        // An HTTP/1.0 client can't wait for a 100 (RFC 9110 §10.1.1).
        guard head.minorVersion == 1 else { return }
        guard !hasUnknownExpectation else {
            throw ProtocolError(417, "an expectation other than 100-continue")
        }
        head.expectsContinue =
            expectsContinue && head.framing != .none && head.framing != .length(0)
        // Requires one HTTP2-Settings, and both fields listed in Connection (RFC 7540 §3.2.1).
        head.offersHTTP2 = offersHTTP2 && namesUpgrade && namesSettings && settings == 1
    }

    /// Checks the fields together and applies them to an HTTP/2 head.
    ///
    /// `:authority` replaces Host, and a body needs no field (RFC 9113 §8.3.1).
    func apply(
        to head: inout RequestHead,
        authority: ByteSpan?,
        hasBody: Bool
    ) throws(ProtocolError) {
        if let authority {
            guard Authority.isValid(authority) else { throw .bad("an invalid :authority") }
            if let host, !host.equals(ignoringCase: authority) {
                throw .bad("a Host that differs from :authority")
            }
        } else if host?.isEmpty ?? true {
            throw .bad("neither :authority nor Host")
        }
        head.authority = authority ?? host ?? head.authority
        head.isKnownElsewhere = isKnownElsewhere
        head.isFromBrowser = isFromBrowser
        head.demands = demands
        // nghttp2 detects a length that differs from the body's.
        head.framing = hasBody ? contentLength.map { .length($0) } ?? .chunked : .none
        guard !hasUnknownExpectation else {
            throw ProtocolError(417, "an expectation other than 100-continue")
        }
        head.expectsContinue = expectsContinue && hasBody
    }

    private func framing(minorVersion: UInt8) throws(ProtocolError) -> BodyFraming {
        guard hasTransferEncoding else {
            guard let contentLength else { return .none }
            return .length(contentLength)
        }
        guard minorVersion == 1 else { throw .bad("Transfer-Encoding in HTTP/1.0") }
        guard contentLength == nil else { throw .bad("Transfer-Encoding and Content-Length") }
        guard isChunked else { throw .bad("a Transfer-Encoding that doesn't end with chunked") }
        guard !hasUnknownCoding else {
            throw ProtocolError(501, "a transfer coding other than chunked")
        }
        return .chunked
    }
}

extension ByteSpan {
    /// Parses a Content-Length: decimal digits without sign or space (RFC 9110 §8.6).
    func contentLength() throws(ProtocolError) -> Int {
        guard !isEmpty, allSatisfy(ByteClass.isDigit) else {
            throw .bad("a Content-Length that is not a number")
        }
        var length = 0
        for digit in self {
            let (product, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(digit &- 0x30))
            guard !overflow, !carry else {
                throw ProtocolError(413, "a Content-Length beyond any body")
            }
            length = sum
        }
        return length
    }
}

extension RequestHead {
    /// Checks the fields of an HTTP/2 request and records their meaning for connection and body
    /// (RFC 9113 §8.3.1).
    ///
    /// - Parameters:
    ///   - authority: The value of `:authority`; nil without one.
    ///   - hasBody: Whether the head doesn't end its stream.
    /// - Throws: The error response for fields that contradict each other.
    package mutating func applyHTTP2Fields(
        authority: ByteSpan?,
        hasBody: Bool
    ) throws(ProtocolError) {
        var semantics = FieldSemantics()
        for line in fields { try semantics.note(line) }
        try semantics.apply(to: &self, authority: authority, hasBody: hasBody)
    }
}
