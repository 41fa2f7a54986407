import Locking
import Synchronization

/// The requirements of a type for its documents.
///
/// They are computed on first use. Most types have no rules, so for these it is the first rejected
/// document.
package final class DecodingContract: Sendable {
    /// The requirements of the type.
    package final class Content: Sendable {
        package let shape: Shape
        package let shapes: Shapes
        /// Whether a document that decodes may violate a rule.
        package let hasRules: Bool
        /// The rules of the shape and its types.
        fileprivate let engine: RuleEngine
        private let wholeEngine = AtomicLazyReference<RuleEngine>()

        /// The whole shape, built for the first rejected document.
        fileprivate var whole: RuleEngine {
            wholeEngine.load() ?? wholeEngine.storeIfNil(RuleEngine(shape, shapes))
        }
        /// The meaning of texts without a value.
        fileprivate let textForms: TextForms
        /// Whether documents need defaults before decoding.
        let hasDefaults: Bool
        /// Whether texts may have nested names: `address[city]=Riga`.
        let takesNestedTexts: Bool

        init(_ shape: Shape, _ shapes: Shapes) {
            self.shape = shape
            self.shapes = shapes
            hasRules = shapes.hasRules(shape)
            engine = RuleEngine(shapes.withoutUnruled(shape), shapes.withoutUnruled)
            textForms = TextForms(shape, shapes)
            hasDefaults = shapes.hasDefaults(shape)
            takesNestedTexts =
                shapes.members(of: shape)?.contains { shapes.hasParts($0.shape) } ?? false
        }
    }

    private let known = AtomicLazyReference<Content>()
    private let find: @Sendable (ShapeFinder) -> Shape

    private init(_ find: @escaping @Sendable (ShapeFinder) -> Shape) { self.find = find }

    /// One contract for each type: finding a type's constraints takes longer than decoding it.
    private static let all = Locked<[ObjectIdentifier: DecodingContract]>([:])

    /// Returns the contract of a type.
    package static func of<T: Decodable & SendableMetatype>(_ type: T.Type) -> DecodingContract {
        all.withLock { all in
            if let contract = all[ObjectIdentifier(type)] { return contract }
            let contract = DecodingContract { $0.shape(of: type) }
            all[ObjectIdentifier(type)] = contract
            return contract
        }
    }

    /// Returns the type's shape in a book of shapes.
    package func shape(in book: ShapeFinder) -> Shape { find(book) }

    /// Whether values have members with other names than these; true if their code decides.
    ///
    /// Members that the server sets don't count.
    package func hasMembers(besides others: [String]) -> Bool {
        guard let members = content.shapes.members(of: content.shape) else { return true }
        return members.contains { member in
            !member.shape.isSupplied && !others.contains { $0.hasSameBytes(as: member.name) }
        }
    }

    /// The requirements of the type, computed on first use.
    package var content: Content {
        if let content = known.load() { return content }
        let book = ShapeFinder(isForSchema: false)
        return known.storeIfNil(Content(find(book), book.shapes))
    }
}

extension Shapes {
    /// The shapes without parts that have no rules.
    fileprivate var withoutUnruled: Shapes {
        var shapes = self
        for index in components.indices {
            shapes.components[index].shape = withoutUnruled(components[index].shape)
        }
        return shapes
    }

    fileprivate func withoutUnruled(_ shape: Shape) -> Shape {
        var ruled = shape
        func inner(_ part: Shape) -> Shape? { hasRules(part) ? withoutUnruled(part) : nil }
        switch shape.form {
        case .any, .described, .scalar, .component: break
        case .array(let element): ruled.form = inner(element).map { .array($0) } ?? .any
        case .map(let value): ruled.form = inner(value).map { .map($0) } ?? .any
        case .object(let members, let isOpen):
            let others = members.compactMap { member in
                inner(member.shape).map {
                    Shape.Member(name: member.name, shape: $0, isRequired: member.isRequired)
                }
            }
            ruled.form = others.isEmpty ? .any : .object(others, isOpen: isOpen)
        }
        return ruled
    }

    /// Whether values have members.
    fileprivate func hasParts(_ shape: Shape) -> Bool {
        switch resolved(shape).form {
        case .object, .map: true
        case .any, .described, .scalar, .array, .component: false
        }
    }
}

extension JSON {
    /// Decodes a value from a body and texts, and checks its type's contract.
    ///
    /// If a request without a body has all members in its texts (`isWhole`), an absent list is empty.
    /// With `rejectsUnknown`, unknown members are errors.
    ///
    /// - Throws: ``JSONTypeErrors`` with all errors instead of the first, and otherwise the errors
    ///   of ``decode(_:from:text:in:)``.
    package static func decode<T: Decodable>(
        _ type: T.Type,
        from body: UnsafeRawBufferPointer?,
        text: [TextMember],
        isWhole: Bool = false,
        backend contract: DecodingContract,
        rejectsUnknown: Bool = false,
        in room: ReusableTape
    ) throws -> T {
        let content = contract.content
        let text = content.textForms.resolve(text, isWhole: isWhole && body?.isEmpty != false)
        let assembles =
            content.hasDefaults || content.takesNestedTexts && text.contains(where: \.isNested)
        guard assembles else {
            return try decode(type, from: body, text: text, content, rejectsUnknown, room)
        }
        var assembly = try Assembly(content, body)
        let rest = assembly.take(text)
        return try assembly.document.encoded().withUnsafeBytes { bytes in
            try decode(type, from: bytes, text: rest, content, rejectsUnknown, room)
        }
    }

    private static func decode<T: Decodable>(
        _ type: T.Type,
        from body: UnsafeRawBufferPointer?,
        text: [TextMember],
        _ content: DecodingContract.Content,
        _ rejectsUnknown: Bool,
        _ room: ReusableTape
    ) throws -> T {
        var tape = try room.tape(for: body, text)
        defer { room.give(&tape) }
        do {
            let value = try tape.root(type)
            let isKnown = !rejectsUnknown || !tape.hasUnrequestedMembers
            let isValid = !content.hasRules || content.engine.admits(tape)
            if isKnown, isValid { return value }
            let others = isKnown ? [] : tape.unknownMembers(content, text)
            let broken = isValid ? [] : content.engine.failures(tape)
            // Members that the type didn't request may be known.
            guard !others.isEmpty || !broken.isEmpty else { return value }
            throw JSONTypeErrors(broken + others, hasUnknown: !others.isEmpty)
        } catch let error as JSONTypeError {
            let others = rejectsUnknown ? tape.unknownMembers(content, text) : []
            throw JSONTypeErrors(
                tape.all(error, content) + others,
                hasUnknown: !others.isEmpty
            )
        }
    }

    /// Returns all errors of a document, including the known one.
    package static func failures(
        _ error: JSONTypeError,
        from body: UnsafeRawBufferPointer?,
        text: [TextMember],
        backend contract: DecodingContract
    ) -> JSONTypeErrors {
        guard let tape = try? ReusableTape().tape(for: body, text) else {
            return JSONTypeErrors([error])
        }
        return JSONTypeErrors(tape.all(error, contract.content))
    }
}

extension Tape {
    /// Returns all errors, including the decoder's if it comes from the type's own code.
    fileprivate func all(
        _ error: JSONTypeError,
        _ content: DecodingContract.Content
    ) -> [JSONTypeError] {
        let failures = content.whole.failures(self, types: true)
        let isKnown = failures.contains { $0.pointer == error.pointer }
        return isKnown ? failures : [error] + failures
    }
}

extension Tape {
    fileprivate func unknownMembers(
        _ content: DecodingContract.Content,
        _ text: [TextMember]
    ) -> [JSONTypeError] {
        UnknownMembers(self, content.shape, content.shapes, text).errors
    }
}

extension ReusableTape {
    /// Parses a body and adds the texts.
    fileprivate func tape(
        for body: UnsafeRawBufferPointer?,
        _ text: [TextMember]
    ) throws(JSONError) -> Tape {
        let bytes = body ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let tape = take(for: bytes)
        if bytes.isEmpty {
            tape.standForAbsent()
        } else {
            var parser = TapeParser(tape, depth: JSON.defaultDepth)
            try parser.document()
        }
        tape.merge(text)
        return tape
    }
}
