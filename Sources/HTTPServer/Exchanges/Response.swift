package import System
package import HTTPSyntax

/// A response with status, fields and body.
package struct Response: Sendable {
    package enum Body: Sendable {
        /// No body, and no Content-Length either: for 204 and 304.
        case none
        case bytes([UInt8])
        case file(FileBody)
        /// A streamed body.
        case stream(ResponseStream)
    }

    package var status: UInt16
    /// The fields without Date, Content-Length and Connection, which the server adds.
    package var fields: ResponseFields
    package var body: Body
    /// Closes the connection after this response.
    package var closes = false
    /// The default fields that it goes without, since it has its own or needs none.
    package var omitted: DefaultFields.Omissions = []
    /// Whether the body's bytes are cached elsewhere, so that an unread response needs no extra
    /// memory.
    package var isKept = false

    package init(status: UInt16, fields: ResponseFields = [:], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// A range of an open file; the file is closed with the last reference.
package final class FileBody: Sendable {
    package let descriptor: FileDescriptor
    package let range: Range<Int>

    package init(descriptor: FileDescriptor, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
    }
}
