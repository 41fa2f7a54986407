import HTTPSyntax

/// Bytes that a connection keeps: allocated when there are some, freed when there are none, so
/// that a connection that waits owns no buffer.
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

    /// Takes all bytes over from another buffer, and a large one's memory with them: a client that
    /// doesn't read pins one copy of its response, not two.
    mutating func append(from other: inout OutputBuffer) {
        guard buffer == nil, other.count > Self.takeover else { return append(other.bytes) }
        var taken = OutputBuffer(capacity: 0)
        swap(&taken, &other)
        buffer = consume taken
    }

    private static let takeover = 64 * 1024

    /// Takes bytes away from the start; the memory goes with the last of them.
    mutating func consume(_ count: Int) {
        buffer?.consume(count)
        if isEmpty { free() }
    }

    mutating func free() { buffer = nil }
}
