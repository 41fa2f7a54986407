@testable import Gzip
@testable import HTTPSyntax

/// Feeds targets, ranges, dates, lists, conditional requests, codings and gzip bodies.
///
/// The first byte chooses which, the next eight are a number for it.
@c(LLVMFuzzerTestOneInput)
public func fuzzFields(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 9, let start else { return 0 }
    let number = UnsafeRawPointer(start + 1).loadUnaligned(as: UInt64.self)
    let text = ByteSpan(start: start + 9, count: count - 9)
    switch start[0] % 9 {
    case 0: checkTarget(text, Method.allCases[Int(number % 10)])
    case 1: checkRanges(text, size: Int(number >> 24))
    case 2: checkDate(text, now: Int(number % 253_402_300_800))
    case 3: checkNumber(Int(number % 253_402_300_800))
    case 4:
        checkList(text)
        checkText(text)
    case 6: checkCodings(text)
    case 7: checkGzip(text, limit: Int(number % 65_536), room: Int(number >> 48) % 999 + 1)
    case 8: checkAccept(text)
    default: checkPreconditions(text, Int(number % 253_402_300_800))
    }
    return 0
}

private func checkText(_ value: ByteSpan) {
    if let items = StructuredItem.list(value, maximum: 8) {
        precondition((1...8).contains(items.count))
        precondition(items.reduce(0) { $0 + $1.text.utf8.count } <= value.count)
    }
    guard let text = StructuredItem.text(value) else { return }
    precondition(text.utf8.count <= value.count)
    if let bare = StructuredItem.bare(value) { precondition(bare.elementsEqual(text.utf8)) }
    precondition(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    let bytes = Array(text.utf8).flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
    let quoted = [0x22] + bytes + [0x22]
    quoted.withUnsafeBufferPointer { precondition(StructuredItem.text($0) == text) }
}

// MARK: Targets

private func checkTarget(_ target: ByteSpan, _ method: Method) {
    var head = RequestHead()
    head.method = method
    let hasEscapes: Bool
    do {
        hasEscapes = try TargetParser.read(target, into: &head)
    } catch {
        precondition(error.status == 400)
        return
    }
    precondition(hasEscapes == head.rawPath.contains(0x25))
    precondition(head.path.first == 0x2F || head.path.equals("*"))
    if head.path.first == 0x2F { checkEscapes(head.path, ByteClass.isPath) }
    if let query = head.query { precondition(query.allSatisfy(ByteClass.isQuery)) }
    precondition(head.path.count + (head.query?.count ?? 0) <= target.count + 1)
    switch head.form {
    case .origin: precondition(head.authority.isEmpty && target.first == 0x2F)
    case .absolute: precondition(Authority.isValid(head.authority))
    case .authority:
        precondition(Authority.isValid(target))
        precondition((0...65_535).contains(Authority.port(of: target) ?? -1))
    case .asterisk: precondition(target.equals("*"))
    }
}

private func checkEscapes(_ bytes: ByteSpan, _ isAllowed: (UInt8) -> Bool) {
    precondition(bytes.allSatisfy(isAllowed))
    for index in bytes.indices where bytes[index] == 0x25 {
        precondition(index + 2 < bytes.count)
        precondition(ByteClass.hexValue(bytes[index + 1]) != nil)
        precondition(ByteClass.hexValue(bytes[index + 2]) != nil)
    }
}

// MARK: Ranges

private func checkRanges(_ value: ByteSpan, size: Int) {
    guard case .ranges(let ranges) = ByteRanges.parse(value, size: size) else { return }
    precondition(!ranges.isEmpty && ranges.count <= ByteRanges.limit)
    for range in ranges {
        precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
    }
    let total = ranges.reduce(0) { $0 + $1.count }
    precondition(total <= size, "more than the whole")
    for (index, range) in ranges.enumerated() {
        for other in ranges[..<index] { precondition(!range.overlaps(other)) }
    }
}

// MARK: Dates

/// A date that is read, written and read again is the same.
private func checkDate(_ text: ByteSpan, now: Int) {
    guard let seconds = HTTPDate.parse(text, now: now) else { return }
    precondition((-62_167_219_200...253_402_300_800).contains(seconds))
    // Only dates from 1970 to 9999 are written, and a leap second at their end is beyond.
    guard (0...253_402_300_799).contains(seconds) else { return }
    checkNumber(seconds)
}

private func checkNumber(_ seconds: Int) {
    var text = HTTPDate.string(seconds)
    precondition(text.utf8.count == HTTPDate.length)
    text.withUTF8 { bytes in
        precondition(HTTPDate.parse(bytes, now: 0) == seconds)
    }
}

// MARK: Lists

private func checkList(_ value: ByteSpan) {
    var end = value.baseAddress
    value.forEachListMember { member in
        guard let start = member.baseAddress, let last = end else { return false }
        precondition(start >= last && !member.isEmpty)
        precondition(member.trimmed.count == member.count)
        end = start + member.count
        return true
    }
    if let end, let start = value.baseAddress { precondition(end <= start + value.count) }
    if Authority.isValid(value), let port = Authority.port(of: value) {
        precondition(port <= 65_535)
    }
}

// MARK: Preconditions

/// Evaluates conditional fields in a head of their own: the verdict follows from the fields.
private func checkPreconditions(_ fields: ByteSpan, _ lastModified: Int) {
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + fields + Array("\r\n\r\n".utf8)
    request.withUnsafeBufferPointer { bytes in
        let parser = RequestParser()
        guard case .complete = parser.parse(bytes) else { return }
        let validators = Validators(etag: Array("\"abc\"".utf8), lastModified: lastModified)
        let head = parser.head
        let verdict = Preconditions.evaluate(head, validators, now: lastModified)
        if verdict == .failed {
            let conditions = head.count(of: "if-match") + head.count(of: "if-unmodified-since")
            precondition(conditions > 0)
        }
        if verdict == .notModified {
            let conditions = head.count(of: "if-none-match") + head.count(of: "if-modified-since")
            precondition(conditions > 0)
        }
        let counts = Preconditions.rangeCounts(head, validators, now: lastModified)
        precondition(counts || head.count(of: "if-range") > 0)
    }
}

// MARK: Codings

/// The text as the value of both fields: gzip is taken only where something allows it.
private func checkCodings(_ value: ByteSpan) {
    let request =
        Array("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ".utf8) + value
        + Array("\r\nContent-Encoding: ".utf8) + value + Array("\r\n\r\n".utf8)
    request.withUnsafeBufferPointer { bytes in
        let parser = RequestParser()
        guard case .complete = parser.parse(bytes) else { return }
        let text = value.text.lowercased()
        if AcceptEncoding.prefersGzip(parser.head) {
            precondition(text.contains("gzip") || text.contains("*"))
        }
        if ContentEncoding(parser.head) == .gzip { precondition(text.contains("gzip")) }
    }
}

/// The text as the value of Accept: what is preferred is something that it allows.
private func checkAccept(_ value: ByteSpan) {
    let request =
        Array("GET / HTTP/1.1\r\nHost: a\r\nAccept: ".utf8) + value + Array("\r\n\r\n".utf8)
    request.withUnsafeBufferPointer { bytes in
        let parser = RequestParser()
        guard case .complete = parser.parse(bytes) else { return }
        let text = value.text.lowercased()
        switch Accept.preferred(["application/jsonl", "text/event-stream"], parser.head) {
        case 1:
            precondition(
                text.contains("text/event-stream") || text.contains("*/*")
                    || text.contains("text/*")
            )
        case nil: precondition(text.contains("/"))
        default: break
        }
    }
}

/// A body that is inflated whole and in pieces gives the same, within its limit; and whatever it is,
/// it comes back from being compressed.
private func checkGzip(_ body: ByteSpan, limit: Int, room: Int) {
    var whole = OutputBuffer(capacity: 64)
    var failure: GzipError?
    do {
        try Gzip.inflate(body, upTo: limit, into: &whole)
        precondition(whole.count <= limit)
    } catch {
        failure = error
        precondition(whole.count <= limit + 1)
    }
    if failure == nil { precondition(pieces(body, room: room) == Array(whole.bytes)) }
    for level in [Gzip.Level.once, .kept] {
        guard let member = Gzip.compress(body, level) else { continue }
        precondition(member.count + Gzip.overhead <= body.count)
        precondition(member.withUnsafeBufferPointer { pieces($0, room: room) } == Array(body))
    }
}

private func pieces(_ body: ByteSpan, room: Int) -> [UInt8]? {
    guard let inflater = try? GzipInflater() else { return nil }
    var result: [UInt8] = []
    var output = [UInt8](repeating: 0, count: room)
    for start in stride(from: 0, to: body.count, by: room) {
        let piece = body.slice(start, min(start + room, body.count))
        var used = 0
        while true {
            let step = try? output.withUnsafeMutableBufferPointer {
                try inflater.inflate(piece.slice(used, piece.count), into: $0)
            }
            guard let (taken, made) = step else { return nil }
            used += taken
            result += output[..<made]
            if made < room { break }
        }
        precondition(used == piece.count)
    }
    do { try inflater.finish() } catch { return nil }
    return result
}
