/// The content coding of a request's body (RFC 9110 §8.4).
package enum ContentEncoding: Equatable {
    /// Not coded.
    case identity
    /// Coded once with gzip.
    case gzip
    /// An unsupported coding, or several codings, each of which could inflate one byte to a
    /// thousand.
    case other

    /// Parses all Content-Encoding lines as one list.
    ///
    /// The member `identity` isn't a coding and is skipped.
    package init(_ head: RequestHead) {
        var coding = ContentEncoding.identity
        for line in head.fields where line.name.equals(lowercase: "content-encoding") {
            line.value.forEachListMember { member in
                if !member.equals(lowercase: "identity") {
                    coding = coding == .identity && member.namesGzip ? .gzip : .other
                }
                return true
            }
        }
        self = coding
    }
}
