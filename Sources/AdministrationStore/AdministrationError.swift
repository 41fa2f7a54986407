/// The error of a store of tokens and plugs.
package enum AdministrationError: Error, Equatable, CustomStringConvertible {
    /// The store can't be read or written now.
    case unavailable(String)
    /// Other changes were faster at each attempt.
    case busy

    package var description: String {
        switch self {
        case .unavailable(let reason): "the tokens and plugs are unavailable: \(reason)"
        case .busy: "too many concurrent changes of tokens and plugs; retry later"
        }
    }
}
