import Glibc

/// An open file descriptor, closed when the last reference to it goes.
package final class FileDescriptor: Sendable {
    package let raw: CInt

    package init(_ raw: CInt) {
        self.raw = raw
    }

    deinit { Glibc.close(raw) }
}

/// A system call that failed: what was tried, and the system's word for why not.
package struct SystemError: Error, CustomStringConvertible {
    package let code: CInt
    package let operation: String

    package init(_ operation: String, code: CInt = errno) {
        self.code = code
        self.operation = operation
    }

    package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
