@_exported public import JSONCodec

/// What an app shall perform: modules in order, in each the functions to call.
///
/// Its text is a bare JSON array, `[{"name", "actions": [{"func", "value"?}]}]`. Members that
/// have no place here (`"when"` conditions, notes) are kept through reading and writing.
public struct BehaviorDocument: Hashable, Sendable {
    /// The modules, in order.
    public var modules: [BehaviorModule]

    /// The largest text that is read, in bytes: 1 MiB.
    public static let greatestSize = 1 << 20
    /// The most modules that a document may hold.
    public static let greatestModuleCount = 1_000
    /// The most actions that a document may hold, over all of its modules.
    public static let greatestActionCount = 10_000

    /// Creates a document from its modules.
    public init(modules: [BehaviorModule]) { self.modules = modules }

    /// Reads a document.
    ///
    /// - Throws: ``JSONError`` where the text is no JSON, ``BehaviorError`` where it is no behavior
    ///   or larger than allowed; both tell the line and the column.
    public init(json bytes: some Sequence<UInt8>) throws {
        try self.init(json: Array(bytes.prefix(Self.greatestSize + 1)))
    }

    /// Reads a document, as ``init(json:)`` of any bytes does.
    public init(json bytes: [UInt8]) throws {
        self = try Shape.read(bytes) { try BehaviorDocument($0) }
    }

    /// The document's text: an array of modules.
    ///
    /// - Parameter pretty: whether each value stands on a line of its own.
    /// - Returns: UTF-8 text; members that are not named here stand behind those that are.
    public func encoded(pretty: Bool = false) -> [UInt8] { json.encoded(pretty: pretty) }

    /// The document as a JSON value.
    public var json: JSON { .array(modules.map(\.json)) }
}

/// A module of a behavior: its name and what to call in it.
public struct BehaviorModule: Hashable, Sendable {
    /// The module's name, with or without a prefix: `GenericProtocol.MyFirstModule`.
    public var name: String
    /// The functions to call, in order.
    public var actions: [BehaviorAction]
    /// The members that have no place here, kept as they are.
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

/// One call that a behavior asks for: a function and perhaps a value for it.
public struct BehaviorAction: Hashable, Sendable {
    /// The function's name, `func` in the text: `sayHello`, `openUrlWithUrl:`.
    public var function: String
    /// The value that the function is given, nil where the text has none.
    public var value: JSON?
    /// The members that have no place here, kept as they are.
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
    /// These members and behind them those of the other object whose names are not taken.
    fileprivate func followed(by others: JSON.Object) -> JSON.Object {
        others.reduce(into: self) { members, other in
            if members[other.name] == nil { members[other.name] = other.value }
        }
    }
}
