import HTTPSyntax
import HTTPServer
import JSONCodec
import PlugHTTP

/// The parts of a request that its response depends on.
struct ResponseContext: Sendable {
    /// The index of the media type in the output's offers.
    var offer = 0
    /// The members of the query, for the link to the next page; empty for other outputs.
    var query: [TextMember] = []

    /// The link to the page at a cursor (RFC 8288 §3).
    ///
    /// It is relative to the request's target, so that a proxy may change the path's prefix.
    func link(toCursor cursor: String) -> String {
        let others = query.filter { $0.origin == .query && $0.name != cursorMember }
            .map { (name: $0.name, text: $0.text) }
        return "<?\(Query.text(others + [(name: cursorMember, text: cursor)]))>; rel=\"next\""
    }
}
