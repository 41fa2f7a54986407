/// A request that breaks the protocol: the status that answers it and what is told.
///
/// After any of these the connection is closed, since the place where the next request would
/// begin can't be trusted (RFC 9112 §2.2, §6.3, §11.2).
package struct ProtocolError: Error, Equatable {
    /// The status code of the answer.
    package let status: UInt16
    /// What is wrong, for the client's eyes: fixed text, never the client's own bytes.
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
