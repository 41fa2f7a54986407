/// What an encoder has written so far: a tree of nodes and the text of their scalars, each in one
/// flat buffer, so that containers may be filled in any order and nothing is allocated for one.
///
/// Both buffers begin on the stack of the call that encodes. Should a container outlive that
/// call, `detach` copies them first.
final class Arena {
    /// One value, with its place among the others.
    struct Node {
        enum Kind: UInt8 {
            /// Nothing has been written yet: it stands for an empty object.
            case empty
            case scalar, array, object
            /// Its encoding failed: it is left out.
            case dropped
        }

        /// The member's escaped name, with its quotes.
        var nameStart: UInt32 = 0
        var nameLength: UInt32 = 0
        /// Where a scalar's text starts, or a container's first child.
        var first: UInt32 = Arena.none
        /// How many bytes a scalar has, or a container's last child.
        var last: UInt32 = Arena.none
        var sibling: UInt32 = Arena.none
        var parent: UInt32
        /// How many children a container has.
        var count: UInt32 = 0
        var kind: Kind = .empty
        var nameIsEscaped = false
        /// Whether it was asked for as a nested container: two of one name are one.
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
    /// The first misuse of the encoder that the protocols give no way to throw.
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

    /// Copies what is borrowed.
    func detach() {
        if !ownsNodes { growNodes(to: count) }
        if !ownsText { growText(to: max(used, 1)) }
    }

    /// Lets `write` put up to `count` bytes at the end of the text; it returns how many it put.
    @inline(__always)
    func write(upTo count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        // Places are kept in 32 bits: a document that passes them is refused as a whole.
        guard used + count < Int(UInt32.max) else {
            problem = problem ?? JSONTypeError(pointer: "", message: "too large")
            return
        }
        if used + count > room { growText(to: max(room * 2, used + count)) }
        used += write(text + used)
    }

    /// Adds a child behind the others of a container.
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

    /// Adds a member behind the others of an object.
    @inline(__always)
    func add(_ name: consuming String, to object: Int) -> Int {
        let child = add(to: object)
        let start = used
        nodes[child].nameIsEscaped = write(quoted: name)
        nodes[child].nameStart = UInt32(truncatingIfNeeded: start)
        nodes[child].nameLength = UInt32(truncatingIfNeeded: used - start)
        return child
    }

    /// Makes a container of a node that is none yet; one that is already of the kind stays.
    func open(_ kind: Node.Kind, at node: Int) {
        revive(node)
        if nodes[node].kind == .empty {
            nodes[node].kind = kind
        } else if nodes[node].kind != kind {
            misused(at: node)
        }
    }

    /// Takes the text written from `start` on as the node's value.
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

    /// Leaves a value out, as if it had never been begun.
    func drop(_ node: Int) {
        guard nodes[node].kind != .dropped else { return }
        nodes[node].kind = .dropped
        let parent = nodes[node].parent
        if parent != Self.none { nodes[Int(parent)].count -= 1 }
    }

    /// Begins a value anew where user code caught its failure and writes something else.
    @inline(__always)
    private func revive(_ node: Int) {
        guard nodes[node].kind == .dropped else { return }
        nodes[node].kind = .empty
        nodes[node].first = Self.none
        nodes[node].last = Self.none
        let parent = nodes[node].parent
        if parent != Self.none { nodes[Int(parent)].count += 1 }
    }

    /// The steps from the root to a value: only errors ask for it.
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

    /// A member's name as it was given.
    private func name(of node: Int) -> String {
        var bytes = UnescapedBytes(escapedName(nodes[node]), isEscaped: nodes[node].nameIsEscaped)
        var name: [UInt8] = []
        while let byte = bytes.next() { name.append(byte) }
        return String(decoding: name, as: UTF8.self)
    }

    /// A member's escaped name without its quotes.
    @inline(__always)
    func escapedName(_ node: Node) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: text + Int(node.nameStart) + 1,
            count: max(Int(node.nameLength) - 2, 0)
        )
    }
}
