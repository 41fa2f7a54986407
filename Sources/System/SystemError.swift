import Glibc

/// A failed system call.
package struct SystemError: Error, CustomStringConvertible {
    /// The `errno`.
    package let code: CInt
    /// The operation that failed, with its object.
    package let operation: String

    package init(_ operation: String, code: CInt = errno) {
        self.code = code
        self.operation = operation
    }

    package var description: String { "\(operation): \(reason)" }

    /// The system's text for the code.
    package var reason: String { String(cString: strerror(code)) }
}
