/// The error response to a request that violates the protocol.
///
/// The server closes the connection after it, since the start of the next request is unknown (RFC
/// 9112 §2.2, §6.3, §11.2).
package struct ProtocolError: Error, Equatable {
    /// The response's status code.
    package let status: UInt16
    /// The reason for the client: fixed text, without bytes from the client.
    package let detail: StaticString

    package init(_ status: UInt16, _ detail: StaticString) {
        self.status = status
        self.detail = detail
    }

    package static func bad(_ detail: StaticString) -> ProtocolError {
        ProtocolError(400, detail)
    }

    package static func == (lhs: ProtocolError, rhs: ProtocolError) -> Bool {
        lhs.status == rhs.status && lhs.detail.description == rhs.detail.description
    }
}

extension ProtocolError: CustomStringConvertible {
    package var description: String { "\(status): \(detail)" }
}
