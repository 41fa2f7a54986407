@_exported public import JSONCodec

/// The instructions for an app: modules in order, each with the functions to call.
///
/// Its text is a bare JSON array, `[{"name", "actions": [{"func", "value"?}]}]`. Parsing and
/// encoding preserve other members (`"when"` conditions, notes).
public struct BehaviorDocument: Hashable, Sendable {
    /// The modules, in order.
    public var modules: [BehaviorModule]

    /// The largest accepted text, in bytes: 1 MiB.
    public static let maximumSize = 1 << 20
    /// The maximum number of modules.
    public static let maximumModuleCount = 1_000
    /// The maximum number of actions in all modules together.
    public static let maximumActionCount = 10_000
    /// The maximum length of a module's and a function's name, in Unicode scalars.
    public static let maximumNameLength = 256

    /// Creates a document from its modules.
    public init(modules: [BehaviorModule]) { self.modules = modules }

    /// Parses a document.
    ///
    /// - Throws: `JSONError` if the text isn't JSON, ``BehaviorError`` if it isn't a behavior or
    ///   exceeds a limit; both contain the line and the column.
    public init(json bytes: some Sequence<UInt8>) throws {
        try self.init(json: Array(bytes.prefix(Self.maximumSize + 1)))
    }

    /// Parses a document, like ``init(json:)`` for any bytes.
    public init(json bytes: [UInt8]) throws {
        self = try Shape.read(bytes) { try BehaviorDocument($0) }
    }

    /// The document's text: an array of modules.
    ///
    /// - Parameter pretty: whether each value is on its own line.
    /// - Returns: UTF-8 text, with other members after the declared ones.
    public func encoded(pretty: Bool = false) -> [UInt8] { json.encoded(pretty: pretty) }

    /// The document as a JSON value.
    public var json: JSON { .array(modules.map(\.json)) }
}

/// A module of a behavior: its name and the functions to call.
public struct BehaviorModule: Hashable, Sendable {
    /// The module's name, with or without a prefix: `GenericProtocol.MyFirstModule`.
    public var name: String
    /// The functions to call, in order.
    public var actions: [BehaviorAction]
    /// The other members, preserved as they are.
    public var others: JSON.Object

    /// Creates a module from its parts.
    public init(name: String, actions: [BehaviorAction], others: JSON.Object = [:]) {
        self.name = name
        self.actions = actions
        self.others = others
    }

    /// The value as JSON.
    package var json: JSON {
        let members: JSON.Object = [
            "name": .string(name), "actions": .array(actions.map(\.json)),
        ]
        return .object(members.followed(by: others))
    }
}

/// A function call with an optional value.
public struct BehaviorAction: Hashable, Sendable {
    /// The function's name, `func` in the text: `sayHello`, `openUrlWithUrl:`.
    public var function: String
    /// The argument of the function; nil if the text has none.
    public var value: JSON?
    /// The other members, preserved as they are.
    public var others: JSON.Object

    /// Creates an action from its parts.
    public init(function: String, value: JSON? = nil, others: JSON.Object = [:]) {
        self.function = function
        self.value = value
        self.others = others
    }

    /// The value as JSON.
    package var json: JSON {
        var members: JSON.Object = ["func": .string(function)]
        members["value"] = value
        return .object(members.followed(by: others))
    }
}

extension JSON.Object {
    /// Returns these members, followed by the other object's members with new names.
    fileprivate func followed(by others: JSON.Object) -> JSON.Object {
        others.reduce(into: self) { members, other in
            if members[other.name] == nil { members[other.name] = other.value }
        }
    }
}
