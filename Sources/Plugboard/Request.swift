import HTTPServer
import HTTPSyntax
import JSONCodec
import PlugHTTP
import Tracing

/// A request on its way from its head to its response.
///
/// Every step receives it as a parameter, and notes in it what the next ones need. Each request is
/// matched once. It is judged by its head, and again when its body has come later: a token that was
/// revoked meanwhile counts no more. Valid during the call that responds to it, as its head is.
///
/// It can't be copied but here, and so no closure of what is done later can hold it.
struct Request: ~Copyable {
    private var place: UnsafePointer<RequestHead>
    private(set) var peer: Peer
    /// The action that it is for, and what the server does around that; nil where there is none.
    private(set) var match: RouteTable.Served?
    /// The values in its path, then those of its query or form.
    var members: [TextMember] = []
    /// The caller that its policy made out; nil where no policy asks, or the request shows nothing.
    var caller: Caller?
    /// Its place in the traces that it is part of; nil where it is part of none.
    var trace: ServiceContext?
    /// Its name in counters and logs, and the time when the work on its response began.
    var subject = RequestSubject()
    /// Its place in its batch; nil for a request of its own.
    private(set) var item: Int?
    /// Whether its action may be performed before its response is asked for.
    var performsAtOnce: Bool
    /// Whether the body has all of an input, members that travel in path and fields, too.
    private(set) var bodyIsWhole = false

    var head: RequestHead { unsafeAddress { place } }

    /// A request as it came.
    init(_ incoming: borrowing IncomingRequest, performsAtOnce: Bool = false) {
        place = incoming.place
        peer = incoming.peer
        self.performsAtOnce = performsAtOnce
        // Unwrapped before the cast, which the run time would also make of nil.
        guard let ticket = incoming.admitted, let admitted = ticket as? Admitted else { return }
        // The spans of its head are gone; those of the admission's caller are judged anew.
        self.performsAtOnce = admitted.request.performsAtOnce
        match = admitted.request.match
        members = admitted.request.members
        trace = admitted.request.trace
        subject = admitted.request.subject
    }

    private init(copying other: borrowing Request) {
        place = other.place
        peer = other.peer
        match = other.match
        members = other.members
        caller = other.caller
        trace = other.trace
        subject = other.subject
        item = other.item
        performsAtOnce = other.performsAtOnce
        bodyIsWhole = other.bodyIsWhole
    }

    /// A request that was admitted by its head, until its body has come.
    final class Admitted: AdmittedRequest {
        fileprivate let request: Request

        init(_ request: borrowing Request) { self.request = Request(copying: request) }
    }

    /// Notes the action that it is for.
    mutating func note(_ served: RouteTable.Served) {
        match = served
        subject.route = served.action.number
    }

    /// The request as its connection handed it over.
    var incoming: IncomingRequest { IncomingRequest(place, from: peer) }

    /// The request as another action prepares what it would respond.
    var reading: Request {
        var reading = Request(copying: self)
        reading.performsAtOnce = false
        return reading
    }

    // MARK: Batches

    /// The request as it is about one of the items of its batch: with the batch's head, whose
    /// credentials and key count for each item.
    func item(at index: Int) -> Request {
        var item = Request(incoming)
        item.trace = trace
        item.subject = subject
        item.item = index
        item.bodyIsWhole = true
        return item
    }

    /// An item as its action sees it: its input is its body, whatever the batch's head says.
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
