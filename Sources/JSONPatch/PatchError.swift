/// A patch that can't be read or applied, and where.
package struct PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is, as RFC 5789 (section 2.2) tells them apart.
    package enum Kind: Hashable, Sendable {
        /// It is no patch.
        case malformed
        /// The document isn't what the patch takes it for: nothing is there, or a test failed.
        case conflict
        /// It asks for more than the bounds allow.
        case tooLarge
    }

    /// What kind of failure it is.
    package var kind: Kind
    /// The operation's index, from 0; nil where it is the patch as a whole.
    package var operation: Int?
    /// The place as a JSON Pointer: in the patch where it is malformed, else in the document.
    package var pointer: String
    /// What is wrong, in words.
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

    /// The operation, the place and the message: `operation 3: /0/actions/7: …`.
    package var description: String {
        let operation = operation.map { "operation \($0): " } ?? ""
        return operation + (pointer.isEmpty ? "" : "\(pointer): ") + message
    }
}
