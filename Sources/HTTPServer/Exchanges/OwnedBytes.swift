import HTTPSyntax

/// A byte buffer that is allocated with its first byte and freed with its last, so that an idle
/// connection has none.
struct OwnedBytes: ~Copyable {
    private var buffer: OutputBuffer?

    var isEmpty: Bool { count == 0 }

    var count: Int {
        switch buffer {
        case .some(let buffer): buffer.count
        case .none: 0
        }
    }

    /// The bytes, valid until the next change.
    var bytes: ByteSpan {
        switch buffer {
        case .some(let buffer): buffer.bytes
        case .none: ByteSpan(start: nil, count: 0)
        }
    }

    mutating func append(_ bytes: ByteSpan) {
        guard !bytes.isEmpty else { return }
        if buffer == nil { buffer = OutputBuffer(capacity: bytes.count) }
        buffer?.append(bytes)
    }

    /// Moves all bytes from another buffer.
    ///
    /// A large buffer's memory moves with them, so that a client that doesn't read occupies one
    /// copy of its response, not two.
    mutating func append(from other: inout OutputBuffer) {
        guard buffer == nil, other.count > Self.takeover else { return append(other.bytes) }
        var taken = OutputBuffer(capacity: 0)
        swap(&taken, &other)
        buffer = consume taken
    }

    private static let takeover = 64 * 1024

    /// Removes bytes from the start.
    ///
    /// Frees the memory with the last byte.
    mutating func consume(_ count: Int) {
        buffer?.consume(count)
        if isEmpty { free() }
    }

    mutating func free() { buffer = nil }
}
