package import HTTPSyntax

/// A request as its connection hands it to a responder: the head, and the client that sent it.
///
/// Valid during the responder's call only, as its head is; since it can't be copied, nothing that is done
/// later can hold it.
package struct IncomingRequest: ~Copyable {
    /// Where the head is, for whoever passes it on during the call.
    package let place: UnsafePointer<RequestHead>
    package let peer: Peer
    /// The result of ``Responder/admit(_:)`` for this request; nil if its body came with its head.
    package let admitted: (any AdmittedRequest)?

    @inlinable package var head: RequestHead { unsafeAddress { place } }

    /// A request whose head stays at `place` while it is responded to.
    @inlinable
    package init(
        _ place: UnsafePointer<RequestHead>,
        from peer: Peer,
        admitted: (any AdmittedRequest)? = nil
    ) {
        self.place = place
        self.peer = peer
        self.admitted = admitted
    }
}

/// The notes of a responder about a request that it admitted, until the request's body has come.
///
/// The connection stores it, and hands it back to the responder that made it.
package protocol AdmittedRequest: AnyObject {}
