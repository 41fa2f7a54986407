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
        self = try Shape.read(bytes) { try AuthoredBehavior($0) }
    }

    private init(_ shape: Shape) throws {
        guard case .object(var members) = shape.value else {
            document = try BehaviorDocument(shape)
            segments = [:]
            modulesPointer = ""
            return
        }
        let modules = try shape.take("modules", from: &members)
        document = try BehaviorDocument(modules)
        segments =
            try members["segments"] == nil
            ? [:] : shape.take("segments", from: &members).object()
        modulesPointer = "/modules"
        if let other = members.names.first {
            let problem = "expected modules and segments only"
            throw ShapeProblem(path: shape.path + [.name(other)], message: problem)
        }
    }
}
