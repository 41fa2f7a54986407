package import System
import HTTPSyntax

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
    /// The field lines as they are sent, each with its CR LF, without Date, Content-Length and
    /// Connection: those are the server's.
    package var fields: [UInt8]
    package var body: Body
    /// Closes the connection after this response.
    package var closes = false
    /// The body's bytes are kept for good, so that a response which isn't read costs nothing.
    package var isKept = false

    package init(status: UInt16, fields: [UInt8] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Renders field lines.
    ///
    /// Names and values are the server's own: a control character in a value would split the
    /// response, so it is left out.
    package static func fieldLines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += name.utf8
            bytes += ": ".utf8
            bytes += value.utf8.filter(ByteClass.isFieldValue)
            bytes += "\r\n".utf8
        }
        return bytes
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
