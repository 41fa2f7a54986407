// Where a document can't be read.

extension TapeParser {
    /// What is wrong here, or at another offset: with a value that begins, or with the container that it
    /// would be in.
    func error(_ message: String, at offset: Int? = nil, isValue: Bool = true) -> JSONError {
        let pointer = Self.bounded(pointer(toValue: isValue))
        return JSONError(message, at: offset ?? at, in: bytes, pointer)
    }

    /// The most bytes of a pointer: 4 KiB, for a name may be as long as the document.
    private static let greatestPointer = 4 << 10

    /// The pointer, or that to the innermost value around whose pointer isn't too long.
    private static func bounded(_ pointer: String) -> String {
        let bytes = pointer.utf8
        guard bytes.count > greatestPointer else { return pointer }
        let first = bytes.prefix(greatestPointer + 1)
        // Within a name it would be escaped (RFC 6901 §3).
        let end = first.lastIndex(of: UInt8(ascii: "/")) ?? first.startIndex
        return String(pointer[..<end])
    }

    /// The way to a container whose end hasn't come, in the one around it.
    func pointer(to container: Int, in outer: Int) -> String {
        var tokens: [String] = []
        var (inner, outer) = (container, outer)
        while outer != Self.none {
            let around = tape.nodes[outer]
            // A member's name lies before its value.
            let isMember = around.kind == .object
            tokens.append(isMember ? token(tape.nodes[inner - 1]) : "\(around.length - 1)")
            inner = outer
            outer = around.next == .max ? Self.none : Int(around.next)
        }
        return tokens.reversed().reduce(into: "") { $0 += "/" + $1 }
    }

    func token(_ name: Node) -> String { JSONPointer.escaped(tape.string(name)) }

    private func pointer(toValue isValue: Bool) -> String {
        guard open != Self.none else { return "" }
        let container = tape.nodes[open]
        let outer = container.next == .max ? Self.none : Int(container.next)
        let pointer = pointer(to: open, in: outer)
        guard isValue else { return pointer }
        guard container.kind == .object else { return pointer + "/\(container.length)" }
        // The last node is the name of the value; of a name that can't be read it is another's.
        let last = tape.count - 1
        guard last > open, tape.nodes[last].kind == .string, tape.nodes[last].next == 0 else {
            return pointer
        }
        return pointer + "/" + token(tape.nodes[last])
    }
}
