/// An entry of the tape: a value or a member's name.
struct Node {
    enum Kind: UInt32 {
        case null, `false`, `true`, number, string, array, object
        /// A text from outside the body, which can be decoded as any scalar.
        case text
        /// Several such texts with one name.
        case texts
    }

    /// The kind in the lowest four bits, four flags, and the number of the object's name table.
    private var tag: UInt32
    /// The offset of a scalar's first byte (after a string's quote), or of a container's bracket.
    var start: UInt32
    /// The length of a scalar in bytes, or the number of values in a container.
    var length: UInt32 = 0
    /// The index after this value's last descendant.
    ///
    /// While a container is open, it is the index of its container, so the parser needs no stack.
    var next: UInt32

    init(_ kind: Kind, start: Int, length: Int = 0, next: Int = 0) {
        tag = kind.rawValue
        self.start = UInt32(truncatingIfNeeded: start)
        self.length = UInt32(truncatingIfNeeded: length)
        self.next = UInt32(truncatingIfNeeded: next)
    }

    var kind: Kind { Kind(rawValue: tag & 0xF) ?? .null }

    /// Whether a string contains escapes.
    var isEscaped: Bool {
        get { tag & 0x10 != 0 }
        set { tag = newValue ? tag | 0x10 : tag & ~0x10 }
    }

    /// Whether the bytes are in the tape's own text rather than in the body.
    var isText: Bool {
        get { tag & 0x20 != 0 }
        set { tag = newValue ? tag | 0x20 : tag & ~0x20 }
    }

    /// Whether a text replaces the member.
    var isHidden: Bool {
        get { tag & 0x40 != 0 }
        set { tag = newValue ? tag | 0x40 : tag & ~0x40 }
    }

    /// Whether the decoded type has requested the member with this name.
    var isRequested: Bool {
        get { tag & 0x80 != 0 }
        set { tag = newValue ? tag | 0x80 : tag & ~0x80 }
    }

    /// The number of an object's name table, from 1; 0 if it has none.
    var table: Int {
        get { Int(tag >> 8) }
        set { tag = tag & 0xFF | UInt32(truncatingIfNeeded: newValue) << 8 }
    }
}

/// A parsed document: a flat array of its values in document order, which refer to the bytes.
///
/// The bytes are borrowed from the decoding call. If a decoder outlives that call, `detach` copies
/// them first.
final class Tape {
    private(set) var bytes: UnsafeRawBufferPointer
    private(set) var nodes: UnsafeMutablePointer<Node>
    private(set) var count = 0
    private var capacity: Int
    private var ownsBytes = false
    /// The names and texts of text members.
    private(set) var text = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Never read during a write: a table is created from nodes alone.
    @exclusivity(unchecked) var names = NameTables()
    /// Whether there is no body; the root is an empty object then.
    var isAbsent = false
    /// The number of members in all objects, and of those that the decoded type has requested.
    ///
    /// They differ only if there are unknown members, so that others cost no search.
    @exclusivity(unchecked) var memberCount = 0
    @exclusivity(unchecked) var requestedCount = 0
    /// The paths of values, created for the first error.
    var places: TapePlaces?

    /// The maximum size of a document, in bytes; offsets have 32 bits.
    static let maximumCount = 1 << 30

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        // A value takes at least two bytes, including its separator.
        capacity = min(max(bytes.count / 2 + 1, 8), 64)
        nodes = .allocate(capacity: capacity)
    }

    deinit {
        nodes.deallocate()
        if ownsBytes { bytes.deallocate() }
        text.deallocate()
    }

    /// Appends a node and returns its index.
    @inline(__always)
    func append(_ node: Node) -> Int {
        if count == capacity { grow(to: capacity * 2) }
        (nodes + count).initialize(to: node)
        count += 1
        return count - 1
    }

    @inline(never)
    private func grow(to newCapacity: Int) {
        let copy = UnsafeMutablePointer<Node>.allocate(capacity: newCapacity)
        copy.initialize(from: nodes, count: count)
        nodes.deallocate()
        nodes = copy
        capacity = newCapacity
    }

    /// Reserves memory for texts, which the tape frees.
    func reserveText(_ count: Int) {
        guard text.count < count else { return }
        text.deallocate()
        text = .allocate(byteCount: max(count, 64), alignment: 1)
    }

    /// Resets the tape for another document.
    func reuse(for bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        count = 0
        names = NameTables()
        isAbsent = false
        memberCount = 0
        requestedCount = 0
        places = nil
    }

    /// Whether it is small enough to be stored for reuse.
    var isSmall: Bool { capacity <= 256 && text.count <= 4_096 && !ownsBytes }

    /// Copies the borrowed bytes.
    func detach() {
        guard !ownsBytes else { return }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyMemory(from: bytes)
        bytes = UnsafeRawBufferPointer(copy)
        ownsBytes = true
    }

    /// Returns the bytes of a scalar or a name.
    @inline(__always)
    func span(_ node: Node) -> UnsafeRawBufferPointer {
        let source = node.isText ? UnsafeRawBufferPointer(text) : bytes
        let start = Int(node.start)
        return UnsafeRawBufferPointer(rebasing: source[start..<start + Int(node.length)])
    }

    /// Returns a string or a name without escapes.
    func string(_ node: Node) -> String {
        let span = span(node)
        guard node.isEscaped else { return String(decoding: span, as: UTF8.self) }
        return UnescapedBytes.string(span)
    }
}
