// The trait `Macros` of the package declares the macros and builds their plugin.
#if Macros
/// Makes a `JSONView` of a struct.
///
/// ```swift
/// @View struct ResponseUser {
///     var username: String                 // required
///     @Key("id") var identifier: Int       // renamed
///     var nickname: String?                // may be missing or null
///     var plan: String = "free"            // its default, if missing or null
///     var friends: [ResponseUser]          // views within a view
/// }
/// ```
/// Each property becomes a member of the JSON: the macro writes its key, its accessors, the
/// conformance, `keys`, `content` and `init(content:)`. Static and computed properties stay as they
/// are. A `let`, a property without a type, a name of `JSONView` and two properties of one member
/// are errors.
@attached(member, names: named(keys), named(content), named(init))
@attached(memberAttribute)
@attached(extension, conformances: JSONView)
public macro View() = #externalMacro(module: "PlugboardMacroPlugin", type: "ViewMacro")

/// The name of a view's member in JSON, if it isn't the property's.
///
/// ``View()`` attaches it to each property, with the property's own name.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: overloaded)
public macro Key(_ name: String? = nil) =
    #externalMacro(module: "PlugboardMacroPlugin", type: "KeyMacro")

/// Makes a `Module` of a final class.
///
/// ```swift
/// @Module final class Banner: Sendable {
///     func hide() { … }                                // "hide"
///     func show(_ text: String) throws { … }           // "show" and "show:"
///     @MainActor func openUrl(url: String) { … }       // "openUrl" and "openUrlWithUrl:"
///     private func log() { … }                         // not a function of the module
/// }
/// ```
/// A behavior may call each method that isn't private or static. A method may throw, may be
/// asynchronous, and has at most one parameter of a `Decodable` type. A parameter with a default may
/// be missing in the behavior. A method with a parameter has its name and its Objective-C selector.
/// Methods of an actor need a `Sendable` class. Methods of extensions aren't part of the module.
@attached(member, names: named(functions), named(init))
@attached(extension, conformances: Module)
public macro Module() = #externalMacro(module: "PlugboardMacroPlugin", type: "ModuleMacro")
#endif
