package import HTTPSyntax

/// A request as its connection hands it to a responder: the head, and the client that sent it.
///
/// Valid during the responder's call only, as the spans of its head are.
package struct IncomingRequest {
    package let head: RequestHead
    package let peer: Peer
    /// The result of ``Responder/admit(_:)`` for this request; nil if its body came with its head.
    package let admitted: (any AdmittedRequest)?

    package init(_ head: RequestHead, from peer: Peer, admitted: (any AdmittedRequest)? = nil) {
        self.head = head
        self.peer = peer
        self.admitted = admitted
    }
}

/// The notes of a responder about a request that it admitted, until the request's body has come.
///
/// The connection stores it, and hands it back to the responder that made it.
package protocol AdmittedRequest: AnyObject {}
