/// A behavior as its author writes it: modules and segments, which are named rules.
///
/// Its text is the bare array that ``BehaviorDocument`` parses, or an object with both:
/// ```json
/// {"segments": {"beta": {"in": ["beta", {"var": "groups"}]}},
///  "modules": [{"name": "Banner", "when": {"segment": "beta"}, "actions": []}]}
/// ```
/// The server always sends a bare array. Rules are plain JSON here; the rule compiler checks them.
public struct AuthoredBehavior: Hashable, Sendable {
    /// The modules, with their rules among the other members.
    public var document: BehaviorDocument
    /// The named rules; none in a bare array.
    public var segments: JSON.Object
    /// The JSON Pointer of the modules in the text: `/modules`, or empty in a bare array.
    public let modulesPointer: String

    /// Parses an authored document.
    ///
    /// - Throws: `JSONError` if the text isn't JSON, ``BehaviorError`` if it isn't a behavior or
    ///   exceeds a limit; both contain the line and the column.
    public init(json bytes: some Sequence<UInt8>) throws {
        try self.init(json: Array(bytes.prefix(BehaviorDocument.maximumSize + 1)))
    }

    /// Parses an authored document, like ``init(json:)`` for any bytes.
    public init(json bytes: [UInt8]) throws {
        self = try Shape.read(bytes) { shape in try ShapeReader.read { $0.authored(shape) } }
    }

    /// Parses an authored document and continues after problems.
    ///
    /// - Parameters:
    ///   - json: the document.
    ///   - problems: receives the problems, at most 100.
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

    /// The document as a JSON value, in the form of the text.
    package var json: JSON {
        if modulesPointer.isEmpty { return document.json }
        let modules: JSON.Object = ["modules": document.json]
        return segments.isEmpty
            ? .object(modules) : ["segments": .object(segments), "modules": document.json]
    }
}
