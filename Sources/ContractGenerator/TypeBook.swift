import JSONCodec

/// The Swift types of a description's schemas.
///
/// A schema that Swift can't express is `JSON`, with a note: a value is never read as another one.
final class TypeBook {
    let description: Description
    /// The types outside of operations.
    let file: TypeScope
    private(set) var notes: [Note] = []

    /// The maximum nesting of schemas within one type.
    private static let maximumDepth = 40
    /// The maximum number of schemas that are read, with repetitions.
    private static let maximumSteps = 250_000
    /// The maximum number of notes.
    private static let maximumNotes = 2_000

    /// The types of references.
    private var known: [Reference: SwiftType] = [:]
    /// The references whose types are being read.
    private var open: Set<Reference> = []
    /// The names of the components' types.
    private var reserved: [String: String] = [:]
    /// The names of types within operations.
    private var nested: Set<String> = []
    private var steps = 0
    private let sided: SidedSchemas

    struct Reference: Hashable {
        let text: String
        let direction: Direction
    }

    init(_ description: Description) {
        self.description = description
        file = TypeScope()
        sided = SidedSchemas(description)
        let schemas = description.root["components"]?["schemas"]?.object ?? [:]
        for (name, _) in schemas {
            let reference = "#/components/schemas/\(Description.token(name))"
            reserved[reference] = SwiftName.unique(SwiftName.type(name), &file.used)
        }
    }

    /// Whether a type's name belongs to a schema of the components.
    func isSchema(_ name: String) -> Bool { reserved.values.contains(name) }

    /// Adds a note.
    func note(_ pointer: String, _ reason: String) {
        guard notes.count < Self.maximumNotes else { return }
        let note = Note(
            pointer: SwiftText.line(pointer, limit: 500),
            reason: SwiftText.line(reason, limit: 500)
        )
        if !notes.contains(note) { notes.append(note) }
    }

    /// Returns the scope of an operation, whose types have none of the file's names.
    func scope() -> TypeScope { TypeScope(used: file.used.union(["Input", "Output"])) }

    /// Returns a new name in a scope.
    func name(_ suggestion: TypeName, in scope: TypeScope) -> String {
        guard !suggestion.isReserved else { return suggestion.text }
        let text =
            SwiftName.reserved.contains(suggestion.text) && scope === file
            ? suggestion.text + "Model" : suggestion.text
        guard scope === file else {
            let name = SwiftName.unique(text, &scope.used)
            nested.insert(name)
            return name
        }
        var name: String
        repeat { name = SwiftName.unique(text, &file.used) } while nested.contains(name)
        return name
    }

    /// Returns the type of a schema.
    ///
    /// - Throws: ``UnusableDescription`` if the description exceeds a limit.
    func type(
        of schema: JSON,
        at pointer: String,
        as name: TypeName,
        in scope: TypeScope,
        _ direction: Direction,
        depth: Int = 0,
        declares reference: Reference? = nil
    ) throws(UnusableDescription) -> SwiftType {
        steps += 1
        guard steps <= Self.maximumSteps else {
            throw UnusableDescription(
                "The description has more than \(Self.maximumSteps) schemas, counted with each use. "
                    + "Select operations with --only."
            )
        }
        guard depth <= Self.maximumDepth else {
            note(pointer, "JSON without a type, because it is nested too deeply")
            return .json
        }
        guard let object = schema.object else {
            if schema.bool != true {
                note(pointer, "JSON without a type, because it isn't a schema")
            }
            return .json
        }
        if let text = object["$ref"]?.string {
            let others = object.filter { $0.0 != "$ref" && Merging.isConstraint($0.0) }
            if description.isVersion30 || others.isEmpty {
                var type = try self.type(referenced: text, at: pointer, direction)
                if object["nullable"] == true { type.isNullable = true }
                return type
            }
            let parts: JSON = [
                ["$ref": .string(text)], .object(JSON.Object(others.map { ($0.0, $0.1) })),
            ]
            return try type(
                of: ["allOf": parts],
                at: pointer,
                as: name,
                in: scope,
                direction,
                depth: depth + 1,
                declares: reference
            )
        }
        let reader = SchemaReader(
            book: self,
            pointer: pointer,
            name: name,
            scope: scope,
            direction: direction,
            depth: depth,
            reference: reference
        )
        return try reader.type(of: object)
    }

    /// Returns the type of a reference's schema.
    func type(
        referenced text: String,
        at pointer: String,
        _ direction: Direction
    ) throws(UnusableDescription) -> SwiftType {
        let isSided = sided.contains(text)
        let reference = Reference(text: text, direction: isSided ? direction : .output)
        if let type = known[reference] { return type }
        guard let schema = description.target(of: text) else {
            let isLocal = text.hasPrefix("#")
            note(
                pointer,
                "JSON without a type, because \(text) "
                    + (isLocal ? "doesn't exist" : "is in another document, which isn't read")
            )
            return .json
        }
        guard open.insert(reference).inserted, open.count <= Self.maximumDepth * 4 else {
            note(pointer, "JSON without a type, because \(text) leads back to itself")
            return .json
        }
        defer { open.remove(reference) }
        let last = Description.tokens(of: text)?.last ?? "Type"
        let own = reserved[text] ?? SwiftName.type(last)
        let isInput = isSided && direction == .input
        let type = try type(
            of: schema,
            at: String(text.dropFirst()),
            as: TypeName(
                text: isInput ? own + "Input" : own,
                isReserved: reserved[text] != nil && !isInput
            ),
            in: file,
            direction,
            declares: reference
        )
        known[reference] = type
        return type
    }

    /// Registers a declared type before its members are read, so that they can contain it.
    func announce(_ type: SwiftType, for reference: Reference?) {
        if let reference { known[reference] = type }
    }
}

/// The schemas that have members for one direction only, directly or through references.
private struct SidedSchemas {
    private var names: Set<String> = []

    init(_ description: Description) {
        var references: [String: Set<String>] = [:]
        for (name, schema) in description.root["components"]?["schemas"]?.object ?? [:] {
            let own = "#/components/schemas/\(Description.token(name))"
            var found: Set<String> = []
            if Self.search(schema, &found, depth: 0) { names.insert(own) }
            references[own] = found
        }
        var hasGrown = !names.isEmpty
        while hasGrown {
            hasGrown = false
            for (own, found) in references
            where !names.contains(own) && !found.isDisjoint(with: names) {
                names.insert(own)
                hasGrown = true
            }
        }
    }

    func contains(_ reference: String) -> Bool { names.contains(reference) }

    /// Returns whether a schema has a member for one direction, and collects its references.
    private static func search(_ schema: JSON, _ references: inout Set<String>, depth: Int) -> Bool
    {
        guard depth < JSON.defaultDepth else { return false }
        if let elements = schema.array {
            var isSided = false
            for element in elements where search(element, &references, depth: depth + 1) {
                isSided = true
            }
            return isSided
        }
        guard let object = schema.object else { return false }
        var isSided = object["readOnly"] == true || object["writeOnly"] == true
        if let reference = object["$ref"]?.string { references.insert(reference) }
        for (name, value) in object where name != "example" && name != "examples" {
            if search(value, &references, depth: depth + 1) { isSided = true }
        }
        return isSided
    }
}
