// The locations of parsing errors.

extension TapeParser {
    /// Returns an error at the current or another offset: in a value that begins there, or in the
    /// innermost open container.
    func error(_ message: String, at offset: Int? = nil, isValue: Bool = true) -> JSONError {
        let pointer = Self.bounded(pointer(toValue: isValue))
        return JSONError(message, at: offset ?? at, in: bytes, pointer)
    }

    /// The maximum size of a pointer, in bytes, since a name may be as long as the document.
    private static let maximumPointer = 4 << 10

    /// Returns the pointer, or that of the innermost containing value that isn't too long.
    private static func bounded(_ pointer: String) -> String {
        let bytes = pointer.utf8
        guard bytes.count > maximumPointer else { return pointer }
        let first = bytes.prefix(maximumPointer + 1)
        // A `/` within a name would be escaped (RFC 6901 §3).
        let end = first.lastIndex(of: UInt8(ascii: "/")) ?? first.startIndex
        return String(pointer[..<end])
    }

    /// Returns the pointer of an open container.
    func pointer(to container: Int, in outer: Int) -> String {
        var tokens: [String] = []
        var (inner, outer) = (container, outer)
        while outer != Self.none {
            let around = tape.nodes[outer]
            // A member's name is the node before its value.
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
        // The last node is the value's name, unless that name is invalid.
        let last = tape.count - 1
        guard last > open, tape.nodes[last].kind == .string, tape.nodes[last].next == 0 else {
            return pointer
        }
        return pointer + "/" + token(tape.nodes[last])
    }
}
