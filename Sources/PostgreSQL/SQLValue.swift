/// A parameter of a statement or a value of a row.
public enum SQLValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case text(String)
    case bytes([UInt8])
}

extension SQLValue {
    /// The value as a literal of SQL.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value): "'\(value.replacing("'", with: "''"))'"
        case .bytes(let bytes):
            "'\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}

/// A Swift type for parameters and columns.
public protocol SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    init?(_ value: SQLValue)
    /// The value for the database.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) { self = value }
    /// The value for the database.
    public var sqlValue: SQLValue { self }
}

extension Bool: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        guard case .bool(let value) = value else { return nil }
        self = value
    }
    /// The value for the database.
    public var sqlValue: SQLValue { .bool(self) }
}

extension Int: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        guard case .int(let value) = value else { return nil }
        self = value
    }
    /// The value for the database.
    public var sqlValue: SQLValue { .int(self) }
}

extension Double: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        guard case .double(let value) = value else { return nil }
        self = value
    }
    /// The value for the database.
    public var sqlValue: SQLValue { .double(self) }
}

extension String: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        guard case .text(let value) = value else { return nil }
        self = value
    }
    /// The value for the database.
    public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        guard case .bytes(let value) = value else { return nil }
        self = value
    }
    /// The value for the database.
    public var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    public init?(_ value: SQLValue) {
        if case .null = value {
            self = .none
        } else if let wrapped = Wrapped(value) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }
    /// The value for the database.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
