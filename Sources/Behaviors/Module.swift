/// A named set of functions that a behavior may call.
///
/// Only functions in `functions` can be called.
///
/// ```swift
/// final class MyFirstModule: Module {
///     func sayHello() { print("Hello My name is MyFirstModule") }
///     static let functions: [Function<MyFirstModule>] = [
///         Function("sayHello") { $0.sayHello() },
///     ]
/// }
/// ```
/// Each entry of a behavior has its own instance, which lives while the entry is performed. Calls
/// on an instance never overlap, so a plain class with mutable state is safe. Functions run on no
/// actor; one that changes the UI uses `await MainActor.run { … }`.
public protocol Module: SendableMetatype {
    /// Creates the instance for one entry of a behavior.
    init()

    /// The functions that a behavior may call; of several with one name the first wins.
    static var functions: [Function<Self>] { get }

    /// The name in behaviors; the default is the type's name.
    static var moduleName: String { get }
}

extension Module {
    /// The type's name, without the names of enclosing types.
    public static var moduleName: String { String(describing: Self.self) }
}

/// A function that a behavior may call on a module: a name and a closure.
///
/// The closure may be asynchronous and may throw. It may have a parameter of any `Decodable` type,
/// which is decoded from the action's `value`.
public struct Function<Owner>: Sendable {
    /// The name in behaviors: `sayHello`, `openUrlWithUrl:`.
    public let name: String

    /// Decodes the value and calls the closure; throws `Refusal` if the value is invalid.
    let call: @Sendable (Owner, JSON?) async throws -> Void

    /// Creates a function without a parameter; calls with a value are skipped.
    public init(
        _ name: String,
        _ body: @escaping @Sendable (Owner) async throws -> Void
    ) {
        self.name = name
        call = { owner, value in
            guard value == nil || value == .null else { throw Refusal(reason: .valueUnexpected) }
            try await body(owner)
        }
    }

    /// Creates a function with a parameter.
    ///
    /// The value may be missing or null only if the parameter is optional.
    public init<Value: Decodable & SendableMetatype>(
        _ name: String,
        _ body: @escaping @Sendable (Owner, Value) async throws -> Void
    ) {
        self.name = name
        call = { owner, value in try await body(owner, decoded(Value.self, from: value)) }
    }
}

/// The reason why a function was not called.
struct Refusal: Error {
    var reason: SkipReason
}

private func decoded<Value: Decodable>(_ type: Value.Type, from value: JSON?) throws -> Value {
    guard let value, value != .null else {
        guard let optional = type as? any OptionalValue.Type, let none = optional.none as? Value
        else { throw Refusal(reason: .valueMissing) }
        return none
    }
    do {
        return try value.decode(type)
    } catch let error as JSONTypeError {
        throw Refusal(reason: .wrongValue(pointer: error.pointer, message: error.message))
    } catch {
        throw Refusal(reason: .wrongValue(pointer: "", message: "\(error)"))
    }
}

/// A type with a value for nothing.
private protocol OptionalValue {
    static var none: Self { get }
}

extension Optional: OptionalValue {}
