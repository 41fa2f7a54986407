/// A strict decoder of chunked bodies (RFC 9112 §7.1), resumable at any byte.
///
/// Extensions and trailers are checked and dropped. Both have limits, since neither counts as body.
package struct ChunkedDecoder: Sendable {
    package enum Event: Equatable {
        /// Body bytes at this range of the input.
        case data(Range<Int>)
        /// All input is used, and the body continues.
        case needsMore
        /// The body is complete; the next request begins at this offset.
        case end(Int)
        case failed(ProtocolError)
    }

    /// The sender of the body.
    package enum Sender: Sendable {
        /// A client; all bytes other than data are limited over the whole body.
        case client
        /// A server, which is more trusted.
        ///
        /// Only each chunk's line is limited, and white space after a size is accepted, since some
        /// servers pad it.
        case server
    }

    private let sender: Sender

    /// The maximum of extension bytes and leading zeros, each data byte offsetting one; also the
    /// maximum of trailer bytes.
    ///
    /// Chunk signatures and eight-digit sizes don't count against the limit.
    package static let overheadLimit = 8 * 1024
    /// The maximum number of trailers in a body.
    package static let trailerCount = 100

    private var limit: Int { sender == .client ? Self.overheadLimit : 8 * Self.overheadLimit }

    private enum State {
        case sizeStart, size, beforeExtension, extensionNameStart, extensionName, afterName
        case extensionValueStart, extensionValue, afterExtensionValue
        case quotedValue, quotedPair, sizeLF
        case data, dataCR, dataLF
        case trailerStart, trailerName, trailerValue, trailerLF, finalLF, done
    }

    private var state = State.sizeStart
    /// The chunk's size while it is parsed, then the rest of its data.
    private var remaining = 0
    /// The bytes of extensions and leading zeros, minus the data bytes after them.
    private var overhead = 0
    private var trailerBytes = 0
    private var trailers = 0

    package init(from sender: Sender = .client) { self.sender = sender }

    /// The remaining data of the chunk whose size has been parsed.
    package var announced: Int {
        switch state {
        case .data, .sizeLF, .beforeExtension, .extensionNameStart, .extensionName, .afterName,
            .extensionValueStart, .extensionValue, .afterExtensionValue, .quotedValue, .quotedPair:
            remaining
        default: 0
        }
    }

    /// Parses from `offset` and advances it.
    ///
    /// Call it again while it returns `data`.
    package mutating func next(_ input: ByteSpan, _ offset: inout Int) -> Event {
        while offset < input.count {
            if case .data = state {
                let count = min(remaining, input.count - offset)
                let range = offset..<(offset + count)
                offset += count
                remaining -= count
                overhead = max(0, overhead - count)
                if remaining == 0 { state = .dataCR }
                return .data(range)
            }
            do {
                try step(input[offset])
            } catch {
                return .failed(error)
            }
            offset += 1
            if case .done = state { return .end(offset) }
        }
        return .needsMore
    }

    private mutating func step(_ byte: UInt8) throws(ProtocolError) {
        switch state {
        case .sizeStart, .size: try stepSize(byte)
        case .beforeExtension, .extensionNameStart, .extensionName, .afterName,
            .extensionValueStart, .extensionValue, .afterExtensionValue, .quotedValue, .quotedPair:
            try stepExtension(byte)
        case .sizeLF:
            try expect(byte, 0x0A, "a chunk's size line that doesn't end with CR LF")
            state = remaining == 0 ? .trailerStart : .data
            if sender == .server { overhead = 0 }
        case .dataCR:
            try expect(byte, 0x0D, "a chunk that is longer than its size")
            state = .dataLF
        case .dataLF:
            try expect(byte, 0x0A, "a chunk that doesn't end with CR LF")
            state = .sizeStart
        case .trailerStart, .trailerName, .trailerValue, .trailerLF: try stepTrailer(byte)
        case .finalLF:
            try expect(byte, 0x0A, "a chunked body that doesn't end with CR LF")
            state = .done
        case .data, .done: break
        }
    }

    private mutating func stepSize(_ byte: UInt8) throws(ProtocolError) {
        if let digit = ByteClass.hexValue(byte) {
            if state == .sizeStart {
                remaining = 0
                state = .size
            }
            guard remaining >> 55 == 0 else { throw ProtocolError(413, "a chunk beyond the limit") }
            remaining = remaining << 4 | Int(digit)
            // Leading zeros count as overhead, so that a size line is limited, too.
            if remaining == 0 { try countOverhead() }
            return
        }
        guard state == .size else { throw .bad("a chunk without a size") }
        try stepAfterSize(byte)
    }

    private mutating func stepAfterSize(_ byte: UInt8) throws(ProtocolError) {
        switch byte {
        case 0x0D: state = .sizeLF
        case 0x3B: state = .extensionNameStart
        case 0x20, 0x09: state = .beforeExtension
        default: throw .bad("a chunk's size that is not hexadecimal")
        }
    }

    /// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
    private mutating func stepExtension(_ byte: UInt8) throws(ProtocolError) {
        try countOverhead()
        let isSpace = byte == 0x20 || byte == 0x09
        switch state {
        case .beforeExtension where isSpace: break
        case .beforeExtension where byte == 0x0D && sender == .server: state = .sizeLF
        case .beforeExtension where byte == 0x3B: state = .extensionNameStart
        case .extensionNameStart where isSpace: break
        case .extensionNameStart where ByteClass.isToken(byte): state = .extensionName
        case .extensionName where ByteClass.isToken(byte): break
        case .extensionName where isSpace: state = .afterName
        case .extensionName where byte == 0x3D: state = .extensionValueStart
        case .extensionName: try endExtension(byte, isSpace)
        case .afterName where isSpace: break
        case .afterName where byte == 0x3D: state = .extensionValueStart
        case .afterName where byte == 0x3B: state = .extensionNameStart
        case .extensionValueStart where isSpace: break
        case .extensionValueStart where byte == 0x22: state = .quotedValue
        case .extensionValueStart where ByteClass.isToken(byte): state = .extensionValue
        case .extensionValue where ByteClass.isToken(byte): break
        case .extensionValue: try endExtension(byte, isSpace)
        case .afterExtensionValue: try endExtension(byte, isSpace)
        case .quotedValue where byte == 0x22: state = .afterExtensionValue
        case .quotedValue where byte == 0x5C: state = .quotedPair
        case .quotedValue where ByteClass.isFieldValue(byte): break
        case .quotedPair where ByteClass.isFieldValue(byte): state = .quotedValue
        default: throw .bad("an invalid chunk extension")
        }
    }

    private mutating func endExtension(_ byte: UInt8, _ isSpace: Bool) throws(ProtocolError) {
        switch byte {
        case 0x0D: state = .sizeLF
        case 0x3B: state = .extensionNameStart
        case _ where isSpace: state = .beforeExtension
        default: throw .bad("an invalid chunk extension")
        }
    }

    private mutating func stepTrailer(_ byte: UInt8) throws(ProtocolError) {
        trailerBytes += 1
        guard trailerBytes <= limit, sender == .server || trailers <= Self.trailerCount else {
            throw ProtocolError(431, "trailers beyond the limit")
        }
        switch state {
        case .trailerStart where byte == 0x0D: state = .finalLF
        case .trailerStart where ByteClass.isToken(byte): state = .trailerName
        case .trailerName where ByteClass.isToken(byte): break
        case .trailerName where byte == 0x3A:
            state = .trailerValue
            trailers += 1
        case .trailerValue where byte == 0x0D: state = .trailerLF
        case .trailerValue where ByteClass.isFieldValue(byte): break
        case .trailerLF where byte == 0x0A: state = .trailerStart
        default: throw .bad("an invalid trailer")
        }
    }

    private mutating func countOverhead() throws(ProtocolError) {
        overhead += 1
        guard overhead <= limit else {
            throw .bad("chunk extensions beyond the limit")
        }
    }

    @inline(__always)
    private func expect(
        _ byte: UInt8,
        _ expected: UInt8,
        _ detail: StaticString
    ) throws(ProtocolError) {
        guard byte == expected else { throw .bad(detail) }
    }
}
