/// The header of the PROXY protocol, with which a proxy begins a connection (haproxy's
/// proxy-protocol.txt, versions 1 and 2).
package enum ProxyHeader: Equatable, Sendable {
    /// The bytes are valid so far, but incomplete.
    case partial
    /// The header has this many bytes.
    case complete(length: Int, Source)
    case failed(Failure)

    /// The source of a connection.
    package enum Source: Equatable, Sendable {
        /// The client's address.
        case client(IPAddress)
        /// The proxy itself: for its health checks, and for clients without an IP address.
        case proxy
    }

    /// The reasons for which a header is rejected.
    package enum Failure: String, Error, CaseIterable, Sendable {
        case missing = "it doesn't begin with a PROXY protocol header"
        case invalid = "its PROXY protocol header is invalid"
        case tooLong = "its PROXY protocol header is too long"
        case checksum = "its PROXY protocol header has the wrong checksum"
        case late = "its PROXY protocol header didn't arrive in time"
        case cut = "it ended within its PROXY protocol header"

        /// The reason in one word, for metrics.
        package var name: String { "\(self)" }
    }

    /// The size limit in bytes.
    ///
    /// A header of version 2 may have extensions, such as a client certificate's names. haproxy's
    /// usual ones have less than 512 bytes.
    package static let limit = 4096
    /// The longest header of version 1, with its line end.
    private static let textLimit = 107

    /// Parses the header at the start of `bytes`.
    package init(_ bytes: ByteSpan) {
        do throws(Failure) {
            if bytes.starts(with: Self.signature) {
                self = try Self.binary(bytes)
            } else if bytes.starts(with: Self.word) {
                self = try Self.text(bytes)
            } else {
                throw .missing
            }
        } catch {
            self = .failed(error)
        }
    }

    private static let word: StaticString = "PROXY "

    // MARK: Version 1

    private static func text(_ bytes: ByteSpan) throws(Failure) -> ProxyHeader {
        let line = bytes.slice(0, min(bytes.count, textLimit))
        guard let end = line.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) else {
            guard line.count < textLimit else { throw .tooLong }
            return .partial
        }
        guard line[end] == 0x0D else { throw .invalid }
        guard end + 1 < line.count else {
            guard line.count < textLimit else { throw .tooLong }
            return .partial
        }
        guard line[end + 1] == 0x0A else { throw .invalid }
        return .complete(length: end + 2, try source(line.slice(word.utf8CodeUnitCount, end)))
    }

    /// The source in a line's rest: `TCP4 source destination port port`.
    private static func source(_ text: ByteSpan) throws(Failure) -> Source {
        var rest = text
        let family = rest.takeWord()
        // The rest of such a line has no meaning.
        if family.equals("UNKNOWN") { return .proxy }
        let isIPv4 = family.equals("TCP4")
        guard isIPv4 || family.equals("TCP6") else { throw .invalid }
        let (source, destination) = (rest.takeWord(), rest.takeWord())
        guard let source = address(source, isIPv4), address(destination, isIPv4) != nil,
            isPort(rest.takeWord()), isPort(rest), !rest.isEmpty
        else { throw .invalid }
        return .client(source)
    }

    private static func address(_ text: ByteSpan, _ isIPv4: Bool) -> IPAddress? {
        isIPv4 ? IPAddress.ipv4(text).map(IPAddress.init(ipv4:)) : IPAddress.ipv6(text)
    }

    /// Whether the text is a number up to 65535 without leading zeros.
    private static func isPort(_ text: ByteSpan) -> Bool {
        guard (1...5).contains(text.count), text.count == 1 || text[0] != 0x30,
            text.allSatisfy(ByteClass.isDigit)
        else { return false }
        return text.reduce(0) { $0 * 10 + Int($1 &- 0x30) } <= 65_535
    }
}

extension ByteSpan {
    /// Whether the bytes and the text begin alike, up to the end of the shorter one.
    fileprivate func starts(with text: StaticString) -> Bool {
        let count = Swift.min(count, text.utf8CodeUnitCount)
        for index in 0..<count where self[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Removes the bytes up to the first space, and the space; returns them without it.
    fileprivate mutating func takeWord() -> ByteSpan {
        let end = firstIndex(of: 0x20) ?? count
        defer { self = slice(Swift.min(end + 1, count), count) }
        return slice(0, end)
    }
}
