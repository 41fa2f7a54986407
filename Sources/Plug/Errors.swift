/// The error of calling an action which nothing is plugged to.
public struct NotPlugged: Error, Equatable, CustomStringConvertible {
    /// The action's name.
    public let action: String

    /// An error that names the action.
    public init(action: String) {
        self.action = action
    }

    /// What is missing, and the line that adds it.
    public var description: String {
        """
        \(action) has no plug. Plug an implementation before calling it: \
        \(action).self <~ My\(action)()
        """
    }
}

/// The error of an implementation which doesn't override `perform(_:)`.
public struct NotImplemented: Error, Equatable, CustomStringConvertible {
    /// The name of the class that was plugged.
    public let action: String

    /// An error that names the class that was plugged.
    public init(action: String) {
        self.action = action
    }

    /// What is missing, and where.
    public var description: String {
        "\(action) doesn't override perform(_:). Plug a subclass that does."
    }
}
