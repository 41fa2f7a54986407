package import JSONCodec

extension Patch {
    /// Applies the operations in order.
    ///
    /// - Parameters:
    ///   - document: the original, which doesn't change.
    ///   - bounds: the limits of the work.
    /// - Returns: the document after all operations.
    /// - Throws: the first failure, with the operation's index and the location. No operation is
    ///   applied then.
    package func apply(
        to document: JSON,
        bounds: PatchLimits = PatchLimits()
    ) throws(PatchError) -> JSON {
        var patcher = Patcher(document: document, bounds: bounds)
        for (place, operation) in operations.enumerated() {
            do throws(PatchError) {
                try patcher.perform(operation)
            } catch {
                var error = error
                error.operation = place
                throw error
            }
        }
        return patcher.document
    }
}

/// A document that a patch changes in place.
private struct Patcher {
    var document: JSON
    let bounds: PatchLimits
    private var copied = 0
    private var steps = 0

    init(document: JSON, bounds: PatchLimits) {
        self.document = document
        self.bounds = bounds
    }

    mutating func perform(_ operation: Patch.Operation) throws(PatchError) {
        switch operation {
        case .add(let path, let value):
            try checkDepth(path, Measure(value).depth)
            try add(value, at: path)
        case .remove(let path): _ = try remove(path)
        case .replace(let path, let value):
            try checkDepth(path, Measure(value).depth)
            try replace(path, by: value)
        case .move(let from, let path): try move(from, to: path)
        case .copy(let from, let path): try copy(from, to: path)
        case .test(let path, let value):
            guard try path.value(in: document).isEqual(to: value) else {
                throw .conflict(path.tokens[...], "the test fails: the value differs")
            }
        }
    }

    // MARK: Operations

    private mutating func add(_ value: JSON, at path: Pointer) throws(PatchError) {
        guard !path.tokens.isEmpty else { return document = value }
        let moved = try edit(path) { (container, tokens) throws(PatchError) in
            switch container {
            case .array(var elements):
                var index = elements.count
                if let token = tokens.last, token != "-" {
                    guard let place = Pointer.index(token) else {
                        throw .conflict(tokens, "expected an index or -")
                    }
                    guard place <= elements.count else {
                        throw .conflict(tokens, "the array has \(elements.count) elements")
                    }
                    index = place
                }
                container = .null  // so that `elements` is the only owner and changes in place
                elements.insert(value, at: index)
                container = .array(elements)
                return (elements.count - index) / 16
            case .object(var members):
                container = .null
                members[tokens.last ?? ""] = value
                container = .object(members)
                return 0
            case .null, .bool, .number, .string:
                throw .conflict(tokens.dropLast(), "expected an array or an object")
            }
        }
        try take(moved, path)
    }

    private mutating func remove(_ path: Pointer) throws(PatchError) -> JSON {
        guard !path.tokens.isEmpty else {
            throw .conflict([], "the whole document can't be removed")
        }
        let (value, moved) = try edit(path) { (container, tokens) throws(PatchError) in
            let value: JSON
            switch container {
            case .array(var elements):
                let index = try elements.place(tokens)
                container = .null
                value = elements.remove(at: index)
                container = .array(elements)
                return (value, (elements.count - index) / 16)
            case .object(var members):
                value = try container.child(tokens)
                container = .null
                members[tokens.last ?? ""] = nil
                container = .object(members)
                return (value, members.count)
            case .null, .bool, .number, .string:
                value = try container.child(tokens)
                return (value, 0)
            }
        }
        try take(moved, path)
        return value
    }

    private mutating func replace(_ path: Pointer, by value: JSON) throws(PatchError) {
        guard !path.tokens.isEmpty else { return document = value }
        try edit(path) { (container, tokens) throws(PatchError) in
            switch container {
            case .array(var elements):
                let index = try elements.place(tokens)
                container = .null
                elements[index] = value
                container = .array(elements)
            case .object(var members):
                _ = try container.child(tokens)
                container = .null
                members[tokens.last ?? ""] = value
                container = .object(members)
            // Each case by its name: with a `default`, debug builds hold a second reference to the
            // array above, and each replacement copies it.
            case .null, .bool, .number, .string:
                _ = try container.child(tokens)
            }
        }
    }

    private mutating func move(_ from: Pointer, to path: Pointer) throws(PatchError) {
        let value = try from.value(in: document)
        if path.tokens.count > from.tokens.count {
            let measure = Measure(value)
            try take(measure.count, from)
            try checkDepth(path, measure.depth)
        }
        guard !from.tokens.isEmpty else { return }  // moved to its own location
        _ = try remove(from)
        try add(value, at: path)
    }

    private mutating func copy(_ from: Pointer, to path: Pointer) throws(PatchError) {
        let value = try from.value(in: document)
        let measure = Measure(value)
        copied += measure.bytes
        guard copied <= bounds.copied else {
            throw .tooLarge(from, "the copies have more than \(bounds.copied) bytes")
        }
        try checkDepth(path, measure.depth)
        try add(value, at: path)
    }

    // MARK: Bounds

    private func checkDepth(_ path: Pointer, _ depth: Int) throws(PatchError) {
        guard path.tokens.count + depth <= bounds.depth else {
            throw .tooLarge(path, "nests deeper than \(bounds.depth)")
        }
    }

    private mutating func take(_ moved: Int, _ path: Pointer) throws(PatchError) {
        steps += 1 + moved
        guard steps <= bounds.steps else {
            throw .tooLarge(path, "the patch needs more than \(bounds.steps) steps")
        }
    }

    // MARK: Traversal

    /// Changes the array or object that contains the pointer's target.
    private mutating func edit<Result>(
        _ path: Pointer,
        _ body: (inout JSON, ArraySlice<String>) throws(PatchError) -> Result
    ) throws(PatchError) -> Result {
        try Self.edit(&document, path.tokens, 0, body)
    }

    private static func edit<Result>(
        _ value: inout JSON,
        _ tokens: [String],
        _ place: Int,
        _ body: (inout JSON, ArraySlice<String>) throws(PatchError) -> Result
    ) throws(PatchError) -> Result {
        guard place < tokens.count - 1 else { return try body(&value, tokens[...]) }
        switch value {
        case .array(var elements):
            let index = try elements.place(tokens[...place])
            value = .null  // so that `elements` is the only owner and changes in place
            defer { value = .array(elements) }
            return try edit(&elements[index], tokens, place + 1, body)
        case .object(var members):
            var member = try value.child(tokens[...place])
            value = .null
            members[tokens[place]] = .null
            defer {
                members[tokens[place]] = member
                value = .object(members)
            }
            return try edit(&member, tokens, place + 1, body)
        case .null, .bool, .number, .string:
            _ = try value.child(tokens[...place])
            throw .conflict(tokens[...place], "nothing is there")
        }
    }
}
