/// What is wrong with a document's shape, and where.
struct ShapeProblem: Error {
    var path: [PathKey]
    var message: String
}

/// A JSON value together with the way to it.
struct Shape {
    let value: JSON
    let path: [PathKey]

    init(_ value: JSON, at path: [PathKey] = []) {
        self.value = value
        self.path = path
    }

    func problem(_ message: String) -> ShapeProblem { ShapeProblem(path: path, message: message) }

    func object() throws -> JSON.Object {
        guard let object = value.object else { throw problem("expected an object") }
        return object
    }

    func string() throws -> String {
        guard let string = value.string else { throw problem("expected a string") }
        return string
    }

    func elements(_ expected: String = "expected an array") throws -> [Shape] {
        guard let elements = value.array else { throw problem(expected) }
        return elements.enumerated().map { Shape($1, at: path + [.index($0)]) }
    }

    /// Takes a member out of an object that is being read.
    func take(_ name: String, from object: inout JSON.Object) throws -> Shape {
        guard let member = object[name] else {
            throw ShapeProblem(path: path + [.name(name)], message: "missing")
        }
        object[name] = nil
        return Shape(member, at: path + [.name(name)])
    }
}

extension Shape {
    /// Reads a text of at most 1 MiB, and tells where it isn't what is read.
    static func read<Read>(_ bytes: [UInt8], _ read: (Shape) throws -> Read) throws -> Read {
        guard bytes.count <= BehaviorDocument.greatestSize else {
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
    init(_ shape: Shape) throws {
        let entries = try shape.elements("expected an array of modules")
        guard entries.count <= Self.greatestModuleCount else {
            throw entries[Self.greatestModuleCount].problem(
                "more than \(Self.greatestModuleCount) modules"
            )
        }
        var room = Self.greatestActionCount
        modules = try entries.map { try BehaviorModule($0, room: &room) }
    }
}

extension BehaviorModule {
    /// Reads a module; `room` is how many actions the document may still hold.
    init(_ shape: Shape, room: inout Int) throws {
        others = try shape.object()
        name = try shape.take("name", from: &others).string()
        let entries = try shape.take("actions", from: &others).elements()
        guard entries.count <= room else {
            throw entries[room].problem("more than \(BehaviorDocument.greatestActionCount) actions")
        }
        room -= entries.count
        actions = try entries.map(BehaviorAction.init)
    }
}

extension BehaviorAction {
    init(_ shape: Shape) throws {
        others = try shape.object()
        function = try shape.take("func", from: &others).string()
        value = others["value"]
        others["value"] = nil
    }
}

extension BehaviorDocument: Codable {
    /// Reads the document from any decoder, as strictly as from text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.read { try BehaviorDocument($0) }
    }

    /// Writes the document as an array of modules.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BehaviorModule: Codable {
    /// Reads the module from any decoder.
    public init(from decoder: any Decoder) throws {
        var room = BehaviorDocument.greatestActionCount
        self = try decoder.read { try BehaviorModule($0, room: &room) }
    }

    /// Writes the module with all of its members.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BehaviorAction: Codable {
    /// Reads the action from any decoder.
    public init(from decoder: any Decoder) throws {
        self = try decoder.read { try BehaviorAction($0) }
    }

    /// Writes the action with all of its members.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Decoder {
    fileprivate func read<T>(_ read: (Shape) throws -> T) throws -> T {
        let value = try JSON(from: self)
        do {
            return try read(Shape(value))
        } catch let problem as ShapeProblem {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + problem.path,
                    debugDescription: problem.message
                )
            )
        }
    }
}
