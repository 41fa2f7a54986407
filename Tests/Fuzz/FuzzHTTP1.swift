@testable import HTTPSyntax

/// Feeds the HTTP/1.1 codec a connection's bytes: heads, each with its body, one after the other.
///
/// The first two bytes choose the pieces in which chunked bodies come.
@c(LLVMFuzzerTestOneInput)
public func fuzzHTTP1(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 2, let start else { return 0 }
    let input = ByteSpan(start: start + 2, count: count - 2)
    let seed = UInt64(start[0]) << 8 | UInt64(start[1])
    var limits = HeadLimits()
    limits.head = 1024
    limits.target = 256
    limits.fields = 16
    let parser = RequestParser(limits: limits)
    var offset = 0
    while offset < input.count {
        let rest = input.slice(offset, input.count)
        let verdict = parser.parse(rest)
        // The first head is judged in its prefixes, later ones as a whole: it is the same parser.
        if offset == 0 { checkPrefixes(of: rest, verdict, limits, seed) }
        guard case .complete = verdict else { return 0 }
        checkHead(parser.head, rest, limits)
        offset += parser.head.length
        switch parser.head.framing {
        case .none: break
        case .length(let length):
            guard length <= input.count - offset else { return 0 }
            offset += length
        case .chunked:
            let body = input.slice(offset, input.count)
            guard let length = checkChunked(body, seed) else { return 0 }
            offset += length
        }
    }
    return 0
}

// MARK: Heads

/// Checks that a head's verdict doesn't depend on its division: a prefix is partial, and a
/// rejection stays.
///
/// A short head is parsed in all its prefixes, a long one in about a hundred, which differ from
/// seed to seed. All prefixes would take nine tenths of the time.
private func checkPrefixes(
    of input: ByteSpan,
    _ verdict: RequestParser.Verdict,
    _ limits: HeadLimits,
    _ seed: UInt64
) {
    let parser = RequestParser(limits: limits)
    _ = parser.parse(input)
    let end = verdict == .complete ? parser.head.length : input.count
    var refusal: RequestParser.Verdict?
    let step = 1 + min(end, limits.head) / 100
    for count in stride(from: Int(seed) % step, to: min(end, limits.head + 1), by: step) {
        // Memory of its own, which ends where the prefix does: a look beyond it is seen.
        let prefix = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        defer { prefix.deallocate() }
        _ = prefix.initialize(from: input.prefix(count))
        let early = parser.parse(ByteSpan(prefix))
        precondition(early != .complete, "complete before its end")
        if let refusal { precondition(early == refusal, "a refusal that didn't stand") }
        if early != .partial {
            precondition(early == verdict, "a prefix that disagrees with the whole")
            refusal = early
        }
    }
}

/// Checks the properties of every valid head.
private func checkHead(_ head: RequestHead, _ input: ByteSpan, _ limits: HeadLimits) {
    precondition(head.length <= min(input.count, limits.head))
    let bytes = input.slice(0, head.length)
    precondition(bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]))
    for (index, byte) in bytes.enumerated() {
        if byte == 0x0A { precondition(index > 0 && bytes[index - 1] == 0x0D, "a bare LF") }
        if byte == 0x0D { precondition(bytes[index + 1] == 0x0A, "a bare CR") }
        precondition(byte != 0, "a NUL")
    }
    precondition(head.fields.count <= limits.fields)
    for line in head.fields {
        precondition(isWithin(line.name, bytes) && isWithin(line.value, bytes))
        precondition(!line.name.isEmpty && line.name.allSatisfy(ByteClass.isToken))
        precondition(line.value.allSatisfy(ByteClass.isFieldValue))
        precondition(line.value.trimmed.count == line.value.count)
    }
    checkTarget(head, bytes)
    checkFraming(head)
}

private func checkTarget(_ head: RequestHead, _ bytes: ByteSpan) {
    precondition(head.path.first == 0x2F || head.path.equals("*"))
    if head.path.first == 0x2F { precondition(head.path.allSatisfy(ByteClass.isPath)) }
    precondition(head.rawPath.count == 1 || isWithin(head.rawPath, bytes))
    precondition(head.path.elementsEqual(PercentCoding.normalized(head.rawPath).utf8))
    if let query = head.query {
        precondition(isWithin(query, bytes) && query.allSatisfy(ByteClass.isQuery))
    }
    precondition(head.authority.isEmpty || Authority.isValid(head.authority))
    precondition(head.form != .asterisk || head.method == .options)
    precondition((head.form == .authority) == (head.method == .connect))
}

private func checkFraming(_ head: RequestHead) {
    precondition(head.minorVersion == 0 || head.count(of: "host") == 1)
    precondition(head.count(of: "host") <= 1 && head.count(of: "content-length") <= 1)
    switch head.framing {
    case .none: precondition(head.count(of: "content-length") == 0)
    case .length(let length):
        precondition(length >= 0 && head.count(of: "content-length") == 1)
    case .chunked:
        precondition(head.minorVersion == 1 && head.count(of: "content-length") == 0)
    }
    if head.framing != .chunked { precondition(head.count(of: "transfer-encoding") == 0) }
    if head.expectsContinue {
        precondition(head.minorVersion == 1 && head.framing != .none)
    }
}

private func isWithin(_ span: ByteSpan, _ bytes: ByteSpan) -> Bool {
    guard let start = span.baseAddress, let outer = bytes.baseAddress else { return span.isEmpty }
    return start >= outer && start + span.count <= outer + bytes.count
}

// MARK: Chunked bodies

private struct Decoded: Equatable {
    enum End: Equatable {
        case open
        case complete(Int)
        case failed(ProtocolError)
    }

    var body: [UInt8] = []
    var end = End.open
}

/// Decodes whole and in pieces, which must agree.
///
/// - Returns: the body's length on the wire, nil where it isn't complete.
private func checkChunked(_ input: ByteSpan, _ seed: UInt64) -> Int? {
    let whole = decode(input, pieces: { input.count })
    var state = seed
    let pieces = decode(input) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 60) + 1
    }
    precondition(whole == pieces, "the pieces disagree with the whole")
    precondition(whole.body.count <= input.count)
    guard case .complete(let end) = whole.end else { return nil }
    precondition(end <= input.count && whole.body.count + 5 <= end)
    return end
}

private func decode(_ input: ByteSpan, pieces: () -> Int) -> Decoded {
    var decoder = ChunkedDecoder()
    var decoded = Decoded()
    var start = 0
    while start < input.count {
        let piece = input.slice(start, min(start + max(pieces(), 1), input.count))
        var offset = 0
        reading: while true {
            let before = offset
            switch decoder.next(piece, &offset) {
            case .data(let range):
                precondition(range.lowerBound >= before && range.upperBound == offset)
                precondition(!range.isEmpty)
                decoded.body += piece[range]
            case .needsMore:
                precondition(offset == piece.count && decoder.announced >= 0)
                break reading
            case .end(let end):
                decoded.end = .complete(start + end)
                return decoded
            case .failed(let error):
                decoded.end = .failed(error)
                return decoded
            }
        }
        start += piece.count
    }
    return decoded
}
