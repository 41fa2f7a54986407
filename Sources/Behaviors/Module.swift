/// A named set of functions that a behavior may call.
///
/// Only what `functions` lists can be called.
///
/// ```swift
/// final class MyFirstModule: Module {
///     func sayHello() { print("Hello My name is MyFirstModule") }
///     static let functions: [Function<MyFirstModule>] = [
///         Function("sayHello") { $0.sayHello() },
///     ]
/// }
/// ```
/// Each entry of a behavior gets an instance of its own, which lives while the entry is performed
/// and is never used by two calls at once: a plain class with mutable state will do. Functions run
/// on no actor; one that touches the screen says so: `await MainActor.run { … }`.
public protocol Module: SendableMetatype {
    /// Creates the instance that one entry of a behavior talks to.
    init()

    /// What a behavior may call; of several functions with one name, the first is taken.
    static var functions: [Function<Self>] { get }

    /// The name that behaviors call the module by: its type's, where nothing else is said.
    static var moduleName: String { get }
}

extension Module {
    /// The type's name, without the names of what it stands in.
    public static var moduleName: String { String(describing: Self.self) }
}

/// A function that a behavior may call on a module: a name, and what to do.
///
/// What it does may be synchronous or asynchronous, may throw, and may take a value of any
/// `Decodable` type, which is decoded from the action's `value`.
public struct Function<Owner>: Sendable {
    /// The name that behaviors call the function by: `sayHello`, `openUrlWithUrl:`.
    public let name: String

    /// Decodes the value and calls; throws `Refusal` where the value doesn't fit.
    let call: @Sendable (Owner, JSON?) async throws -> Void

    /// Creates a function without a value; a behavior that gives one is skipped.
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

    /// Creates a function of a value, which may be missing or null only if its type is optional.
    public init<Value: Decodable & SendableMetatype>(
        _ name: String,
        _ body: @escaping @Sendable (Owner, Value) async throws -> Void
    ) {
        self.name = name
        call = { owner, value in try await body(owner, decoded(Value.self, from: value)) }
    }
}

/// Why a function was not called.
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

/// A type that has a value for nothing.
private protocol OptionalValue {
    static var none: Self { get }
}

extension Optional: OptionalValue {}
