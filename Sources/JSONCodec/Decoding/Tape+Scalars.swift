extension Tape {
    /// Returns the error of a value of another type than the requested one.
    func mismatch(_ type: Any.Type, at index: Int, _ expected: String) -> DecodingError {
        let isGivenTwice = nodes[index].kind == .texts
        let message =
            isGivenTwice ? "given more than once" : isMissing(index) ? "missing" : expected
        return failure(at: index, message) { .typeMismatch(type, $0) }
    }

    /// Returns the error of a value with the right type but an unacceptable content.
    func corrupted(at index: Int, _ message: String) -> DecodingError {
        failure(at: index, message) { .dataCorrupted($0) }
    }

    /// Returns an error with its message.
    ///
    /// User code can catch it as Swift's own error, and the message needs no reconstruction.
    func failure(
        at index: Int,
        then key: PathKey? = nil,
        _ message: String,
        _ make: (DecodingError.Context) -> DecodingError
    ) -> DecodingError {
        let path: [any CodingKey] = path(to: index) + (key.map { [$0] } ?? [])
        return make(
            DecodingError.Context(
                codingPath: path,
                debugDescription: message,
                underlyingError: DecodingMessage(text: message)
            )
        )
    }

    /// Whether this is the root of an absent document.
    private func isMissing(_ index: Int) -> Bool { isAbsent && index == 0 }

    func isNull(at index: Int) -> Bool {
        nodes[index].kind == .null || (isMissing(index) && nodes[index].length == 0)
    }

    func bool(at index: Int) throws -> Bool {
        switch nodes[index].kind {
        case .true: return true
        case .false: return false
        case .text where string(nodes[index]) == "true": return true
        case .text where string(nodes[index]) == "false": return false
        default: throw mismatch(Bool.self, at: index, "expected true or false")
        }
    }

    func string(at index: Int) throws -> String {
        let node = nodes[index]
        guard node.kind == .string || node.kind == .text else {
            throw mismatch(String.self, at: index, "expected a string")
        }
        return string(node)
    }

    /// Returns the number; nil for another value.
    @inline(__always)
    func number(at index: Int) -> NumberText? {
        let node = nodes[index]
        if node.kind == .number { return NumberText(span(node)) }
        guard node.kind == .text, NumberScan.isNumber(span(node)) else { return nil }
        return NumberText(span(node))
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
        // A text has one form for each integer: /photos/1.0 isn't an alias of /photos/1.
        guard let number = number(at: index), nodes[index].kind == .number || number.isPlain else {
            throw mismatch(type, at: index, "expected an integer")
        }
        switch number.integer(type) {
        case .success(let value): return value
        case .failure(.fractional): throw corrupted(at: index, "expected an integer")
        case .failure(.outOfRange):
            throw corrupted(at: index, "out of range: \(T.min) to \(T.max)")
        }
    }

    func double(at index: Int) throws -> Double {
        guard let number = number(at: index) else {
            throw mismatch(Double.self, at: index, "expected a number")
        }
        guard let value = number.double() else { throw corrupted(at: index, "out of range") }
        return value
    }

    func float(at index: Int) throws -> Float {
        guard let number = number(at: index) else {
            throw mismatch(Float.self, at: index, "expected a number")
        }
        guard let value = number.float() else { throw corrupted(at: index, "out of range") }
        return value
    }

    /// Returns the whole value as a tree.
    ///
    /// With `notesRequests` it notes all members as requested, which changes the tape.
    func json(at index: Int, notesRequests: Bool = true) -> JSON {
        let node = nodes[index]
        switch node.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number:
            return .number(JSON.Number(checked: String(decoding: span(node), as: UTF8.self)))
        case .string, .text: return .string(string(node))
        case .array, .texts:
            var elements: [JSON] = []
            elements.reserveCapacity(Int(node.length))
            var element = index + 1
            while element < node.next {
                elements.append(json(at: element, notesRequests: notesRequests))
                element = Int(nodes[element].next)
            }
            return .array(elements)
        case .object:
            var members: [(name: String, value: JSON)] = []
            members.reserveCapacity(Int(node.length))
            forEachName(in: index) { name in
                if notesRequests { noteRequest(ofName: name) }
                let value = json(at: name + 1, notesRequests: notesRequests)
                members.append((string(nodes[name]), value))
            }
            return .object(JSON.Object(distinct: members))
        }
    }

    /// Calls `body` with the index of each name; the value's index is the next one.
    func forEachName(in object: Int, _ body: (Int) throws -> Void) rethrows {
        var name = object + 1
        while name < nodes[object].next {
            if !nodes[name].isHidden { try body(name) }
            name = Int(nodes[name + 1].next)
        }
    }
}
