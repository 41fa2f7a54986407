package import System
package import HTTPSyntax

/// A response.
package struct Response: Sendable {
    package enum Body: Sendable {
        /// No body, and no Content-Length either: for 204 and 304.
        case none
        case bytes([UInt8])
        case file(FileBody)
        /// Made while it is sent.
        case stream(ResponseStream)
    }

    package var status: UInt16
    /// The fields, without Date, Content-Length and Connection: the server adds those.
    package var fields: ResponseFields
    package var body: Body
    /// Closes the connection after this response.
    package var closes = false
    /// The body's bytes are kept for good, so that a response which isn't read costs nothing.
    package var isKept = false

    package init(status: UInt16, fields: ResponseFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A part of an open file, which is closed when the last reference goes.
package final class FileBody: Sendable {
    package let descriptor: FileDescriptor
    package let range: Range<Int>

    package init(descriptor: FileDescriptor, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
    }
}
