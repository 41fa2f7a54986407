/// How a request's body is coded (RFC 9110 §8.4).
package enum ContentEncoding: Equatable {
    /// As it is.
    case identity
    /// By gzip, once.
    case gzip
    /// In a way that the server doesn't undo: by another coding, or by several, of which each could
    /// make a thousand bytes out of one.
    case other

    /// Reads all Content-Encoding lines as one list.
    ///
    /// `identity` is no coding, and shouldn't be there; it is passed over.
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
