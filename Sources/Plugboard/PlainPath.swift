import HTTPSyntax

/// A path in which no character is percent-encoded that needn't be: `/a%2Eb` is `/a.b` (RFC 3986
/// §6.2.2.2).
enum PlainPath {
    /// Calls `body` with a request's head whose path is plain, which most are as they come.
    static func withPlain<Result>(_ head: RequestHead, _ body: (RequestHead) -> Result) -> Result {
        guard head.path.contains(0x25), let plain = plain(head.path) else { return body(head) }
        return plain.withUnsafeBufferPointer { path in
            var head = head
            head.path = path
            return body(head)
        }
    }

    /// Nil where nothing is encoded that needn't be.
    private static func plain(_ path: ByteSpan) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isOther = false
        var index = 0
        while index < path.count {
            if path[index] == 0x25, let octet = PercentCoding.octet(in: path, at: index),
                ByteClass.isUnreserved(octet)
            {
                bytes.append(octet)
                isOther = true
                index += 3
            } else {
                bytes.append(path[index])
                index += 1
            }
        }
        return isOther ? bytes : nil
    }
}
