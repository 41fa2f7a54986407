/// A behavior as its author writes it: modules, and segments, which are rules with a name.
///
/// Its text is the bare array that ``BehaviorDocument`` reads, or an object with both:
/// ```json
/// {"segments": {"beta": {"in": ["beta", {"var": "groups"}]}},
///  "modules": [{"name": "Banner", "when": {"segment": "beta"}, "actions": []}]}
/// ```
/// What is served is a bare array in either case. Here rules are JSON; whether they are right is for
/// whoever evaluates them to say.
public struct AuthoredBehavior: Hashable, Sendable {
    /// The modules, with what their rules are beside them.
    public var document: BehaviorDocument
    /// The named rules, none in a bare array.
    public var segments: JSON.Object
    /// Where the modules stand in the text, a JSON Pointer: `/modules`, or empty in a bare array.
    public let modulesPointer: String

    /// Reads an authored document.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, ``BehaviorError`` where it is no behavior
    ///   or larger than allowed; both tell the line and the column.
    public init(json bytes: some Sequence<UInt8>) throws {
        try self.init(json: Array(bytes.prefix(BehaviorDocument.greatestSize + 1)))
    }

    /// Reads an authored document, as ``init(json:)`` of any bytes does.
    public init(json bytes: [UInt8]) throws {
        self = try Shape.read(bytes) { shape in try ShapeReader.read { $0.authored(shape) } }
    }

    /// Reads an authored document as far as it is one, as ``BehaviorDocument`` is read.
    ///
    /// - Parameters:
    ///   - json: the document.
    ///   - problems: what is wrong is put behind these, at most 100 of it.
    package init(_ json: JSON, problems: inout [JSONTypeError]) {
        var reader = ShapeReader()
        self = reader.authored(Shape(json))
        problems += reader.problems.map {
            JSONTypeError(pointer: JSONPointer.text($0.path), message: $0.message)
        }
    }

    init(_ document: BehaviorDocument, segments: JSON.Object, modulesPointer: String) {
        self.document = document
        self.segments = segments
        self.modulesPointer = modulesPointer
    }

    /// The document as a JSON value, in the form that it was read in.
    package var json: JSON {
        if modulesPointer.isEmpty { return document.json }
        let modules: JSON.Object = ["modules": document.json]
        return segments.isEmpty
            ? .object(modules) : ["segments": .object(segments), "modules": document.json]
    }
}
