/// The values that an encoder has written: a tree of nodes and the text of their scalars.
///
/// Each is in one flat buffer, so containers can be filled in any order without an allocation. Both
/// buffers begin on the stack of the encoding call. If a container outlives that call, `detach`
/// copies them first.
final class Arena {
    /// One value, with its links to others.
    struct Node {
        enum Kind: UInt8 {
            /// Not written yet; encoded as an empty object.
            case empty
            case scalar, array, object
            /// Omitted, because its encoding failed.
            case dropped
        }

        /// The offset of the member's escaped name, including the quotes.
        var nameStart: UInt32 = 0
        var nameLength: UInt32 = 0
        /// The offset of a scalar's text, or a container's first child.
        var first: UInt32 = Arena.none
        /// The length of a scalar in bytes, or a container's last child.
        var last: UInt32 = Arena.none
        var sibling: UInt32 = Arena.none
        var parent: UInt32
        /// The number of a container's children.
        var count: UInt32 = 0
        var kind: Kind = .empty
        var nameIsEscaped = false
        /// Whether it is a nested container: two with one name are merged.
        var isNested = false
    }

    static let none = UInt32.max

    private(set) var nodes: UnsafeMutablePointer<Node>
    private(set) var count = 0
    private var capacity: Int
    private var ownsNodes: Bool
    private(set) var text: UnsafeMutablePointer<UInt8>
    private(set) var used = 0
    private var room: Int
    private var ownsText: Bool
    /// The first misuse of the encoder that its protocols can't throw.
    var problem: JSONTypeError?

    init(
        nodes nodeRoom: UnsafeMutableBufferPointer<Node>,
        text textRoom: UnsafeMutableBufferPointer<UInt8>
    ) {
        ownsNodes = nodeRoom.baseAddress == nil
        capacity = ownsNodes ? 32 : nodeRoom.count
        nodes = nodeRoom.baseAddress ?? .allocate(capacity: 32)
        ownsText = textRoom.baseAddress == nil
        room = ownsText ? 1_024 : textRoom.count
        text = textRoom.baseAddress ?? .allocate(capacity: 1_024)
        append(Node(parent: Self.none))
    }

    deinit {
        if ownsNodes { nodes.deallocate() }
        if ownsText { text.deallocate() }
    }

    @inline(__always)
    private func append(_ node: Node) {
        if count == capacity { growNodes(to: capacity * 2) }
        (nodes + count).initialize(to: node)
        count += 1
    }

    @inline(never)
    private func growNodes(to newCapacity: Int) {
        let copy = UnsafeMutablePointer<Node>.allocate(capacity: newCapacity)
        copy.initialize(from: nodes, count: count)
        if ownsNodes { nodes.deallocate() }
        nodes = copy
        capacity = newCapacity
        ownsNodes = true
    }

    @inline(never)
    private func growText(to newRoom: Int) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: newRoom)
        copy.initialize(from: text, count: used)
        if ownsText { text.deallocate() }
        text = copy
        room = newRoom
        ownsText = true
    }

    /// Copies borrowed buffers.
    func detach() {
        if !ownsNodes { growNodes(to: count) }
        if !ownsText { growText(to: max(used, 1)) }
    }

    /// Calls `write` to append up to `count` bytes to the text; it returns the number of bytes.
    @inline(__always)
    func write(upTo count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        // Offsets have 32 bits: a larger document is rejected as a whole.
        guard used + count < Int(UInt32.max) else {
            problem = problem ?? JSONTypeError(pointer: "", message: "too large")
            return
        }
        if used + count > room { growText(to: max(room * 2, used + count)) }
        used += write(text + used)
    }

    /// Appends a child to a container.
    @inline(__always)
    func add(to parent: Int) -> Int {
        let child = UInt32(truncatingIfNeeded: count)
        append(Node(parent: UInt32(truncatingIfNeeded: parent)))
        if nodes[parent].first == Self.none {
            nodes[parent].first = child
        } else {
            nodes[Int(nodes[parent].last)].sibling = child
        }
        nodes[parent].last = child
        nodes[parent].count += 1
        return Int(child)
    }

    /// Appends a member to an object.
    @inline(__always)
    func add(_ name: consuming String, to object: Int) -> Int {
        let child = add(to: object)
        let start = used
        nodes[child].nameIsEscaped = write(quoted: name)
        nodes[child].nameStart = UInt32(truncatingIfNeeded: start)
        nodes[child].nameLength = UInt32(truncatingIfNeeded: used - start)
        return child
    }

    /// Turns an empty node into a container; one of the same kind is unchanged.
    func open(_ kind: Node.Kind, at node: Int) {
        revive(node)
        if nodes[node].kind == .empty {
            nodes[node].kind = kind
        } else if nodes[node].kind != kind {
            misused(at: node)
        }
    }

    /// Sets the text from `start` on as the node's value.
    @inline(__always)
    func close(scalar node: Int, from start: Int) {
        revive(node)
        guard nodes[node].kind == .empty || nodes[node].kind == .scalar else {
            return misused(at: node)
        }
        nodes[node].kind = .scalar
        nodes[node].first = UInt32(truncatingIfNeeded: start)
        nodes[node].last = UInt32(truncatingIfNeeded: used - start)
    }

    private func misused(at node: Int) {
        problem =
            problem ?? JSONTypeError(path: path(to: node), message: "written as two kinds of value")
    }

    /// Omits a value, as if its encoding had never begun.
    func drop(_ node: Int) {
        guard nodes[node].kind != .dropped else { return }
        nodes[node].kind = .dropped
        let parent = nodes[node].parent
        if parent != Self.none { nodes[Int(parent)].count -= 1 }
    }

    /// Restarts a value after user code caught its failure and encodes another one.
    @inline(__always)
    private func revive(_ node: Int) {
        guard nodes[node].kind == .dropped else { return }
        nodes[node].kind = .empty
        nodes[node].first = Self.none
        nodes[node].last = Self.none
        let parent = nodes[node].parent
        if parent != Self.none { nodes[Int(parent)].count += 1 }
    }

    /// Returns the path from the root to a value; only errors need it.
    func path(to target: Int) -> [PathKey] {
        var path: [PathKey] = []
        var node = target
        while nodes[node].parent != Self.none {
            let parent = Int(nodes[node].parent)
            path.append(nodes[parent].kind == .object ? .name(name(of: node)) : place(of: node))
            node = parent
        }
        return path.reversed()
    }

    private func place(of node: Int) -> PathKey {
        var place = 0
        var sibling = nodes[Int(nodes[node].parent)].first
        while sibling != node, sibling != Self.none {
            if nodes[Int(sibling)].kind != .dropped { place += 1 }
            sibling = nodes[Int(sibling)].sibling
        }
        return .index(place)
    }

    /// Returns a member's unescaped name.
    private func name(of node: Int) -> String {
        var bytes = UnescapedBytes(escapedName(nodes[node]), isEscaped: nodes[node].nameIsEscaped)
        var name: [UInt8] = []
        while let byte = bytes.next() { name.append(byte) }
        return String(decoding: name, as: UTF8.self)
    }

    /// Returns a member's escaped name without its quotes.
    @inline(__always)
    func escapedName(_ node: Node) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: text + Int(node.nameStart) + 1,
            count: max(Int(node.nameLength) - 2, 0)
        )
    }
}
