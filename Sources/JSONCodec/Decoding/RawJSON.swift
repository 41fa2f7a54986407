/// A JSON value in the text that it was parsed from: nothing is converted until it is read.
///
/// A member's search and a scalar's conversion read the text. A value costs two words, so that
/// nested values copy nothing.
package struct RawJSON: Sendable {
    /// - Note: `@unchecked Sendable` is safe: the methods here only read the tape, and its decoder
    ///   has ended when another thread can receive the value.
    private final class Text: @unchecked Sendable {
        let tape: Tape

        init(_ tape: Tape) { self.tape = tape }
    }

    /// The types of JSON values.
    package enum Kind: Sendable {
        case null, bool, number, string, array, object
    }

    private let text: Text
    private let index: Int

    private var tape: Tape { text.tape }
    private var node: Node { text.tape.nodes[index] }

    private init(_ text: Text, at index: Int) {
        self.text = text
        self.index = index
    }

    /// Parses a document and copies its text.
    ///
    /// - Throws: an error with its location if the text isn't JSON.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        let tape: Result<Tape, JSONError> = contiguous(bytes) { bytes in
            do throws(JSONError) {
                let tape = try Tape(parsing: bytes, depth: JSON.defaultDepth)
                tape.detach()
                return .success(tape)
            } catch {
                return .failure(error)
            }
        }
        self.init(Text(try tape.get()), at: 0)
    }

    /// The type of the value.
    package var kind: Kind {
        switch node.kind {
        case .null: .null
        case .true, .false: .bool
        case .number: .number
        case .string, .text: .string
        case .array, .texts: .array
        case .object: .object
        }
    }

    /// The Boolean; nil for another value.
    package var bool: Bool? {
        switch node.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The string; nil for another value.
    package var string: String? { kind == .string ? tape.string(node) : nil }

    /// The exact integer; nil for another value.
    package var int: Int? {
        guard node.kind == .number else { return nil }
        return try? NumberText(tape.span(node)).integer(Int.self).get()
    }

    /// The nearest `Double`; nil for another value and for a number out of range.
    package var double: Double? {
        node.kind == .number ? NumberText(tape.span(node)).double() : nil
    }

    /// The elements; nil if this isn't an array.
    package var elements: [RawJSON]? {
        guard kind == .array else { return nil }
        var elements: [RawJSON] = []
        elements.reserveCapacity(Int(node.length))
        var element = index + 1
        while element < node.next {
            elements.append(RawJSON(text, at: element))
            element = Int(tape.nodes[element].next)
        }
        return elements
    }

    /// Returns the member of this name; nil if there is none or this isn't an object.
    package func member(_ name: String) -> RawJSON? {
        guard node.kind == .object else { return nil }
        return tape.find(name, in: index).map { RawJSON(text, at: $0) }
    }

    /// The value as a tree.
    package var json: JSON {
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number:
            return .number(JSON.Number(checked: String(decoding: tape.span(node), as: UTF8.self)))
        case .string, .text: return .string(tape.string(node))
        case .array, .texts: return .array((elements ?? []).map(\.json))
        case .object:
            var members: [(name: String, value: JSON)] = []
            members.reserveCapacity(Int(node.length))
            tape.forEachName(in: index) { name in
                members.append((tape.string(tape.nodes[name]), RawJSON(text, at: name + 1).json))
            }
            return .object(JSON.Object(distinct: members))
        }
    }
}

extension RawJSON: Codable {
    /// Decodes the value in place if the decoder is this codec's.
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            decoder.tape.noteAllRequests(at: decoder.index)
            self.init(Text(decoder.tape), at: decoder.index)
        } else {
            try self.init(parsing: JSON(from: decoder).encoded())
        }
    }

    /// Encodes the value with all of its members.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension RawJSON: CustomStringConvertible {
    /// The text as it was parsed, with its own white space.
    package var description: String {
        guard !tape.isAbsent, !node.isText else { return json.description }
        let isQuoted = node.kind == .string
        let start = Int(node.start) - (isQuoted ? 1 : 0)
        return String(decoding: tape.bytes[start..<end(of: index)], as: UTF8.self)
    }

    /// Returns the offset after a value's text; a container's is after its last element's.
    private func end(of index: Int) -> Int {
        let node = tape.nodes[index]
        let isObject = node.kind == .object
        guard isObject || node.kind == .array else {
            return Int(node.start) + Int(node.length) + (node.kind == .string ? 1 : 0)
        }
        var end = Int(node.start) + 1
        var child = index + 1
        while child < node.next {
            let value = isObject ? child + 1 : child
            let next = Int(tape.nodes[value].next)
            if next >= node.next { end = self.end(of: value) }
            child = next
        }
        // Only white space is between the last element and the bracket.
        let bracket = UInt8(ascii: isObject ? "}" : "]")
        while end < tape.bytes.count, tape.bytes[end] != bracket { end += 1 }
        return min(end + 1, tape.bytes.count)
    }
}

extension Tape {
    /// Notes that the type has requested all members of a value, which it reads later.
    fileprivate func noteAllRequests(at index: Int) {
        switch nodes[index].kind {
        case .array, .texts:
            var element = index + 1
            while element < nodes[index].next {
                noteAllRequests(at: element)
                element = Int(nodes[element].next)
            }
        case .object:
            forEachName(in: index) { name in
                noteRequest(ofName: name)
                noteAllRequests(at: name + 1)
            }
        default: break
        }
    }
}
