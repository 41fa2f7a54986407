import HTTPServer
import HTTPSyntax
import JSONCodec
import PlugHTTP

/// A request between its head and its response.
///
/// Every step receives it as a parameter and stores in it what later steps need. It is matched
/// once. It is authorized by its head, and again after its body has arrived: the token may have
/// been revoked in between. Like its head, it is valid only during the call that responds to it.
///
/// Only this file can copy it, so no closure that runs later can capture it.
struct Request: ~Copyable {
    private var place: UnsafePointer<RequestHead>
    private(set) var peer: Peer
    /// The request's action and its policy; nil if no action matches.
    private(set) var match: RouteTable.Served?
    /// The values in the path, then those of the query or form.
    var members: [TextMember] = []
    /// The caller that the policy has authenticated; nil without such a policy or without
    /// credentials.
    var caller: Caller?
    /// The caller that owns the request's `Idempotency-Key`, for an action without callers.
    var keyOwner: String?
    /// The result of the server's authenticators; nil if none of them had to be waited for.
    private(set) var authentication: Authentication?
    /// The request's route in metrics and logs, and the start time of its work.
    var subject: RequestSubject
    /// The item's index in its batch; nil for a request of its own.
    private(set) var item: Int?
    /// Whether the action may run before its response is requested.
    var performsAtOnce: Bool
    /// Whether the body has the whole input, including members of path and fields.
    private(set) var bodyIsWhole = false

    var head: RequestHead { unsafeAddress { place } }

    /// Creates a request as its connection received it, whose work began at that time.
    init(
        _ incoming: borrowing IncomingRequest,
        at began: Int = RequestSubject.now(),
        performsAtOnce: Bool = false
    ) {
        place = incoming.place
        peer = incoming.peer
        subject = RequestSubject(began: began)
        self.performsAtOnce = performsAtOnce
        // Unwrapped before the cast, because the runtime would also cast nil.
        guard let ticket = incoming.admitted, let admitted = ticket as? Admitted else { return }
        // The head's spans are invalid by now. The caller is authenticated again.
        self.performsAtOnce = admitted.request.performsAtOnce
        match = admitted.request.match
        authentication = admitted.request.authentication
        members = admitted.request.members
        subject.route = admitted.request.subject.route
        if let began = admitted.began { subject.began = began }
    }

    private init(copying other: borrowing Request) {
        place = other.place
        peer = other.peer
        match = other.match
        members = other.members
        caller = other.caller
        keyOwner = other.keyOwner
        authentication = other.authentication
        subject = other.subject
        item = other.item
        performsAtOnce = other.performsAtOnce
        bodyIsWhole = other.bodyIsWhole
    }

    /// A request that was admitted by its head and waits for its body.
    final class Admitted: AdmittedRequest {
        fileprivate let request: Request
        /// The start of the work on the whole request; nil if its body was still missing.
        let began: Int?

        init(_ request: borrowing Request) {
            self.request = Request(copying: request)
            began = nil
        }

        /// Notes the result of the server's authenticators for a request that isn't matched yet.
        init(_ authentication: Authentication, of began: Int = RequestSubject.now()) {
            var request = Request(IncomingRequest(Request.noHead, from: .unknown), at: began)
            request.authentication = authentication
            self.request = request
            self.began = began
        }

        /// The result of the server's authenticators.
        var authentication: Authentication? { request.authentication }
    }

    /// The start of the work on a request: now, or earlier if its caller was identified meanwhile.
    @inline(__always)
    static func start(of incoming: borrowing IncomingRequest) -> Int {
        guard let ticket = incoming.admitted, let began = (ticket as? Admitted)?.began else {
            return RequestSubject.now()
        }
        return began
    }

    /// Stores the request's action and its policy.
    mutating func note(_ served: RouteTable.Served) {
        match = served
        subject.route = served.action.number
    }

    /// The request as its connection received it.
    var incoming: IncomingRequest { IncomingRequest(place, from: peer) }

    /// A copy for another action that only prepares its response.
    var reading: Request {
        var reading = Request(copying: self)
        reading.performsAtOnce = false
        return reading
    }

    // MARK: Batches

    /// The request of one item of a batch.
    ///
    /// The batch's credentials and key apply to each item.
    func item(at index: Int) -> Request {
        var item = Request(incoming, at: subject.began)
        item.subject = subject
        item.authentication = authentication
        item.item = index
        item.bodyIsWhole = true
        return item
    }

    /// The item as its action receives it: only the body is input, not the batch's head.
    var bare: Request {
        var bare = Request(copying: self)
        bare.place = Self.noHead
        return bare
    }

    private nonisolated(unsafe) static let noHead: UnsafePointer<RequestHead> = {
        let place = UnsafeMutablePointer<RequestHead>.allocate(capacity: 1)
        place.initialize(to: RequestHead())
        return UnsafePointer(place)
    }()
}
