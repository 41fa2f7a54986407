package import HTTPSyntax

/// A request as passed to a responder: the head, and the client that sent it.
///
/// Valid only during the responder's call, as its head is. It isn't copyable, so no later code can
/// hold it.
package struct IncomingRequest: ~Copyable {
    /// The address of the head, to pass it on during the call.
    package let place: UnsafePointer<RequestHead>
    package let peer: Peer
    /// The result of ``Responder/admit(_:)``; nil if the body arrived with the head.
    package let admitted: (any AdmittedRequest)?

    @inlinable package var head: RequestHead { unsafeAddress { place } }

    /// Creates a request whose head stays at `place` until the response is made.
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

/// A responder's notes about a request that it admitted, until the request's body has arrived.
///
/// The connection stores them and returns them to the same responder.
package protocol AdmittedRequest: AnyObject {}
