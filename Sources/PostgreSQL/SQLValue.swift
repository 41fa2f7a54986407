/// A parameter of a statement or a value of a row.
package enum SQLValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case text(String)
    case bytes([UInt8])
}

/// A Swift type for parameters and columns.
package protocol SQLConvertible {
    /// Creates the Swift value; nil if it is of another type.
    init?(_ value: SQLValue)
    /// The value for the database.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    package init?(_ value: SQLValue) { self = value }
    package var sqlValue: SQLValue { self }
}

extension Bool: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .bool(let value) = value else { return nil }
        self = value
    }
    package var sqlValue: SQLValue { .bool(self) }
}

extension Int: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .int(let value) = value else { return nil }
        self = value
    }
    package var sqlValue: SQLValue { .int(self) }
}

extension Double: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .double(let value) = value else { return nil }
        self = value
    }
    package var sqlValue: SQLValue { .double(self) }
}

extension String: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .text(let value) = value else { return nil }
        self = value
    }
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    package init?(_ value: SQLValue) {
        guard case .bytes(let value) = value else { return nil }
        self = value
    }
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    package init?(_ value: SQLValue) {
        if case .null = value {
            self = .none
        } else if let wrapped = Wrapped(value) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
