/// The error of a call of an action that has no plug.
public struct NotPlugged: Error, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String
    /// The name in the action's plan that has no plug; nil if the action has no plug at all.
    public let name: String?

    /// Creates an error that names the action, and the name in its plan.
    public init(action: String, name: String? = nil) {
        self.action = action
        self.name = name
    }

    /// Names the action and the line that plugs it.
    public var description: String {
        if let name {
            return """
                \(action)'s plan names \(name), which has no plug. Plug an implementation under \
                this name: \(action).named("\(name)") <~ My\(action)()
                """
        }
        return """
            \(action) has no plug. Plug an implementation before calling it: \
            \(action).self <~ My\(action)()
            """
    }
}

/// The error of an implementation that doesn't override `perform(_:)`.
public struct NotImplemented: Error, Equatable, CustomStringConvertible {
    /// The name of the class that was plugged.
    public let action: String

    /// Creates an error that names the plugged class.
    public init(action: String) {
        self.action = action
    }

    /// Names the class and the missing method.
    public var description: String {
        "\(action) doesn't override perform(_:). Plug a subclass that does."
    }
}

/// The error of a call that is too deep within calls of other actions, and so probably endless.
///
/// Plans neither retry it nor try another implementation.
public struct EndlessCall: CallerFault, Equatable, CustomStringConvertible {
    /// The name of the action that was called last.
    public let action: String

    /// Creates an error that names the action.
    public init(action: String) {
        self.action = action
    }

    /// True: the same call would fail with every implementation.
    public var isCallerFault: Bool { true }

    /// Names the action and the remedy.
    public var description: String {
        """
        \(action) is called within more than 200,000 other calls: its plug probably calls it again \
        without end. Plug an implementation that doesn't call \(action).
        """
    }
}

/// An error that may be the caller's fault, such as a `404`.
///
/// Plans treat such an error like an output: they don't retry, fall back or unplug because of it.
public protocol CallerFault: Error {
    /// Whether the same call would fail with every implementation.
    var isCallerFault: Bool { get }
}
