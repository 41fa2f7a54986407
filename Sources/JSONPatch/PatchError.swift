/// An error of parsing or applying a patch, with its location.
package struct PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error, as RFC 5789, section 2.2 distinguishes them.
    package enum Kind: Hashable, Sendable {
        /// The patch is malformed.
        case malformed
        /// The document doesn't match the patch: a value is missing, or a test failed.
        case conflict
        /// The patch exceeds a limit.
        case tooLarge
    }

    /// The kind of the error.
    package var kind: Kind
    /// The operation's index, from 0; nil for the patch as a whole.
    package var operation: Int?
    /// The JSON Pointer of the location: in a malformed patch, or else in the document.
    package var pointer: String
    /// The description of the error.
    package var message: String

    /// Creates an error from its parts.
    package init(kind: Kind, operation: Int? = nil, pointer: String, message: String) {
        self.kind = kind
        self.operation = operation
        self.pointer = pointer
        self.message = message
    }

    static func conflict(_ tokens: ArraySlice<String>, _ message: String) -> PatchError {
        PatchError(kind: .conflict, pointer: Pointer.text(tokens), message: message)
    }

    static func tooLarge(_ pointer: Pointer, _ message: String) -> PatchError {
        PatchError(kind: .tooLarge, pointer: pointer.description, message: message)
    }

    /// The operation, the location and the message: `operation 3: /0/actions/7: …`.
    package var description: String {
        let operation = operation.map { "operation \($0): " } ?? ""
        return operation + (pointer.isEmpty ? "" : "\(pointer): ") + message
    }
}
