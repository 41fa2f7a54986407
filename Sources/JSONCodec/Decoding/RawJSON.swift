/// A JSON value in the text that it was parsed from: nothing is converted until it is read.
///
/// An object is scanned for its members; other values have a tape. A member's search and a scalar's
/// conversion read the text. A value costs two words, so that nested values copy nothing.
package struct RawJSON: Sendable {
    /// - Note: `@unchecked Sendable` is safe: the methods here only read the tape, and its decoder
    ///   has ended when another thread can receive the value.
    private final class Text: @unchecked Sendable {
        let tape: Tape

        init(_ tape: Tape) { self.tape = tape }
    }

    private enum Source: Sendable {
        case node(Text, Int)
        case object(ScannedObject)
        /// A scalar of an object.
        case member(ScannedObject, Int)
    }

    /// The types of JSON values.
    package enum Kind: Sendable {
        case null, bool, number, string, array, object
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// Parses a document, which costs no copy of an array of bytes.
    ///
    /// - Throws: an error with its location if the text isn't JSON.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        let bytes = Array(bytes)
        try self.init(bytes, 0..<bytes.count, level: 0)
    }

    /// Parses a document's part.
    ///
    /// Values at the second level have a tape, so that no text is parsed more than three times.
    init(_ bytes: [UInt8], _ range: Range<Int>, level: Int) throws(JSONError) {
        if level < 2, let object = ScannedObject(bytes, range, level: level) {
            source = .object(object)
            return
        }
        let tape: Result<Tape, JSONError> = bytes.withUnsafeBytes { bytes in
            do throws(JSONError) {
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
                let tape = try Tape(parsing: bytes, depth: JSON.defaultDepth)
                tape.detach()
                return .success(tape)
            } catch {
                return .failure(error)
            }
        }
        source = .node(Text(try tape.get()), 0)
    }

    /// The type of the value.
    package var kind: Kind {
        switch source {
        case .object: .object
        case .member(let object, let place): object.scalar(place).kind
        case .node(let text, let index):
            switch text.tape.nodes[index].kind {
            case .null: .null
            case .true, .false: .bool
            case .number: .number
            case .string, .text: .string
            case .array, .texts: .array
            case .object: .object
            }
        }
    }

    /// The Boolean; nil for another value.
    package var bool: Bool? {
        switch source {
        case .object: return nil
        case .member(let object, let place): return object.scalar(place).bool
        case .node(let text, let index):
            switch text.tape.nodes[index].kind {
            case .true: return true
            case .false: return false
            default: return nil
            }
        }
    }

    /// The string; nil for another value.
    package var string: String? {
        switch source {
        case .object: return nil
        case .member(let object, let place): return object.string(place)
        case .node(let text, let index):
            return kind == .string ? text.tape.string(text.tape.nodes[index]) : nil
        }
    }

    /// The exact integer; nil for another value.
    package var int: Int? {
        number { number in try? number.integer(Int.self).get() }
    }

    /// The nearest `Double`; nil for another value and for a number out of range.
    package var double: Double? { number { number in number.double() } }

    private func number<R>(_ read: (NumberText) -> R?) -> R? {
        switch source {
        case .object: return nil
        case .member(let object, let place): return object.number(place, read)
        case .node(let text, let index):
            let node = text.tape.nodes[index]
            return node.kind == .number ? read(NumberText(text.tape.span(node))) : nil
        }
    }

    /// The elements; nil if this isn't an array.
    package var elements: [RawJSON]? {
        guard case .node(let text, let index) = source, kind == .array else { return nil }
        let tape = text.tape
        var elements: [RawJSON] = []
        elements.reserveCapacity(Int(tape.nodes[index].length))
        var element = index + 1
        while element < tape.nodes[index].next {
            elements.append(RawJSON(.node(text, element)))
            element = Int(tape.nodes[element].next)
        }
        return elements
    }

    /// Returns the member of this name; nil if there is none or this isn't an object.
    package func member(_ name: String) -> RawJSON? {
        switch source {
        case .member: return nil
        case .object(let object):
            guard let place = object.place(of: name) else { return nil }
            return object.container(place) ?? RawJSON(.member(object, place))
        case .node(let text, let index):
            guard text.tape.nodes[index].kind == .object else { return nil }
            return text.tape.find(name, in: index).map { RawJSON(.node(text, $0)) }
        }
    }

    /// The value as a tree.
    package var json: JSON {
        switch source {
        case .object(let object): object.json
        case .member(let object, let place): object.json(place)
        case .node(let text, let index): text.tape.json(at: index, notesRequests: false)
        }
    }
}

extension RawJSON: Codable {
    /// Decodes the value in place if the decoder is this codec's.
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            decoder.tape.noteAllRequests(at: decoder.index)
            self.init(.node(Text(decoder.tape), decoder.index))
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
        switch source {
        case .object(let object): object.text
        case .member(let object, let place): object.text(place)
        case .node(let text, let index): text.tape.text(at: index) ?? json.description
        }
    }
}

extension Tape {
    /// Returns a value's text as it was parsed; nil if it is from outside the body.
    fileprivate func text(at index: Int) -> String? {
        let node = nodes[index]
        guard !isAbsent, !node.isText else { return nil }
        let start = Int(node.start) - (node.kind == .string ? 1 : 0)
        return String(decoding: bytes[start..<end(of: index)], as: UTF8.self)
    }

    /// Returns the offset after a value's text; a container's is after its last element's.
    private func end(of index: Int) -> Int {
        let node = nodes[index]
        let isObject = node.kind == .object
        guard isObject || node.kind == .array else {
            return Int(node.start) + Int(node.length) + (node.kind == .string ? 1 : 0)
        }
        var end = Int(node.start) + 1
        var child = index + 1
        while child < node.next {
            let value = isObject ? child + 1 : child
            let next = Int(nodes[value].next)
            if next >= node.next { end = self.end(of: value) }
            child = next
        }
        // Only white space is between the last element and the bracket.
        let bracket = UInt8(ascii: isObject ? "}" : "]")
        while end < bytes.count, bytes[end] != bracket { end += 1 }
        return min(end + 1, bytes.count)
    }

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
