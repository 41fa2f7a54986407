/// A problem with a document's shape, with its path.
struct ShapeProblem: Error {
    var path: [PathKey]
    var message: String
}

/// A JSON value with its path.
struct Shape {
    let value: JSON
    let path: [PathKey]

    init(_ value: JSON, at path: [PathKey] = []) {
        self.value = value
        self.path = path
    }
}

/// Parses a document and continues after problems.
struct ShapeReader {
    /// The problems, in the document's order.
    private(set) var problems: [ShapeProblem] = []

    /// The maximum number of problems reported for a document.
    private static let problemCount = 100

    /// Runs a parsing function and throws its first problem.
    static func read<T>(_ read: (inout ShapeReader) -> T) throws(ShapeProblem) -> T {
        var reader = ShapeReader()
        let value = read(&reader)
        if let problem = reader.problems.first { throw problem }
        return value
    }

    /// Parses an authored document: a bare array, or an object with segments.
    mutating func authored(_ shape: Shape) -> AuthoredBehavior {
        guard case .object(var members) = shape.value else {
            return AuthoredBehavior(document(shape), segments: [:], modulesPointer: "")
        }
        let modules = take("modules", from: &members, of: shape).map { document($0) }
        var segments: JSON.Object?
        if members["segments"] != nil {
            segments = take("segments", from: &members, of: shape).flatMap { object($0) }
        }
        for name in members.names {
            reject(shape.path + [.name(name)], "expected only modules and segments")
        }
        return AuthoredBehavior(
            modules ?? BehaviorDocument(modules: []),
            segments: segments ?? [:],
            modulesPointer: "/modules"
        )
    }

    /// Parses a document.
    ///
    /// An invalid module or action becomes one without a name, so that later ones have their
    /// indexes.
    mutating func document(_ shape: Shape) -> BehaviorDocument {
        let entries = elements(shape, "expected an array of modules")
        guard entries.count <= BehaviorDocument.maximumModuleCount else {
            let count = BehaviorDocument.maximumModuleCount
            reject(entries[count].path, "more than \(count) modules")
            return BehaviorDocument(modules: [])
        }
        var room = BehaviorDocument.maximumActionCount
        return BehaviorDocument(modules: entries.map { module($0, room: &room) })
    }

    /// Parses a module; `room` is the remaining number of actions in the document.
    mutating func module(_ shape: Shape, room: inout Int) -> BehaviorModule {
        guard var others = object(shape) else { return BehaviorModule(name: "", actions: []) }
        let name = name("name", from: &others, of: shape)
        var entries = take("actions", from: &others, of: shape).map { elements($0) } ?? []
        if entries.count > room {
            let maximum = BehaviorDocument.maximumActionCount
            reject(entries[room].path, "more than \(maximum) actions")
            entries = []
        }
        room -= entries.count
        let actions = entries.map { action($0) }
        return BehaviorModule(name: name, actions: actions, others: others)
    }

    /// Parses an action.
    mutating func action(_ shape: Shape) -> BehaviorAction {
        guard var others = object(shape) else { return BehaviorAction(function: "") }
        let function = name("func", from: &others, of: shape)
        let value = others["value"]
        others["value"] = nil
        return BehaviorAction(function: function, value: value, others: others)
    }

    private mutating func reject(_ path: [PathKey], _ message: String) {
        guard problems.count < Self.problemCount else { return }
        problems.append(ShapeProblem(path: path, message: message))
    }

    private mutating func object(_ shape: Shape) -> JSON.Object? {
        if case .object(let object) = shape.value { return object }
        reject(shape.path, "expected an object")
        return nil
    }

    private mutating func string(_ shape: Shape) -> String? {
        if case .string(let text) = shape.value { return text }
        reject(shape.path, "expected a string")
        return nil
    }

    /// Removes the name of a module or a function from its object; empty if it is invalid.
    private mutating func name(
        _ member: String,
        from object: inout JSON.Object,
        of shape: Shape
    ) -> String {
        guard let value = take(member, from: &object, of: shape), let name = string(value) else {
            return ""
        }
        let maximum = BehaviorDocument.maximumNameLength
        if name.utf8.count > maximum, name.unicodeScalars.count > maximum {
            reject(value.path, "a name has \(maximum) characters at most")
        }
        return name
    }

    private mutating func elements(
        _ shape: Shape,
        _ expected: String = "expected an array"
    ) -> [Shape] {
        if case .array(let elements) = shape.value {
            return elements.enumerated().map { Shape($1, at: shape.path + [.index($0)]) }
        }
        reject(shape.path, expected)
        return []
    }

    /// Removes a member from an object and returns it.
    private mutating func take(
        _ name: String,
        from object: inout JSON.Object,
        of shape: Shape
    ) -> Shape? {
        let path = shape.path + [.name(name)]
        guard let member = object[name] else {
            reject(path, "missing")
            return nil
        }
        object[name] = nil
        return Shape(member, at: path)
    }
}

extension Shape {
    /// Parses a text of at most 1 MiB; an error contains the line and the column.
    static func read<Read>(_ bytes: [UInt8], _ read: (Shape) throws -> Read) throws -> Read {
        guard bytes.count <= BehaviorDocument.maximumSize else {
            throw BehaviorError(pointer: "", message: "larger than 1 MiB", line: 1, column: 1)
        }
        let value = try JSON(parsing: bytes)
        do {
            return try read(Shape(value))
        } catch let problem as ShapeProblem {
            throw BehaviorError(problem, in: bytes)
        }
    }
}

extension BehaviorDocument {
    init(_ shape: Shape) throws(ShapeProblem) { self = try ShapeReader.read { $0.document(shape) } }
}

extension BehaviorDocument: Codable {
    /// Decodes the document from any decoder, as strictly as from text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.read { $0.document($1) }
    }

    /// Encodes the document as an array of modules.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BehaviorModule: Codable {
    /// Decodes the module from any decoder.
    public init(from decoder: any Decoder) throws {
        var room = BehaviorDocument.maximumActionCount
        self = try decoder.read { $0.module($1, room: &room) }
    }

    /// Encodes the module with all of its members.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BehaviorAction: Codable {
    /// Decodes the action from any decoder.
    public init(from decoder: any Decoder) throws {
        self = try decoder.read { $0.action($1) }
    }

    /// Encodes the action with all of its members.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Decoder {
    fileprivate func read<T>(_ read: (inout ShapeReader, Shape) -> T) throws -> T {
        let value = try JSON(from: self)
        do throws(ShapeProblem) {
            return try ShapeReader.read { read(&$0, Shape(value)) }
        } catch {
            let problem = error
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + problem.path,
                    debugDescription: problem.message
                )
            )
        }
    }
}
