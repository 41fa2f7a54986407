import HTTPSyntax
import JSONCodec
import PlugHTTP

extension PathTemplate {
    /// The captures in a path that is given as text.
    func captures(inText path: String) throws(MalformedTarget) -> [TextMember]? {
        try captures(inBytes: Array(PercentCoding.normalized(path.utf8).utf8))
    }

    func captures(inBytes path: [UInt8]) throws(MalformedTarget) -> [TextMember]? {
        let result: Result<[TextMember]?, MalformedTarget> = path.withUnsafeBufferPointer { bytes in
            do throws(MalformedTarget) {
                var members: [TextMember] = []
                return .success(try captures(in: bytes, into: &members) ? members : nil)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension TextMember {
    static func path(_ name: String, _ text: String) -> TextMember {
        TextMember(name: name, text: text, origin: .path)
    }

    static func query(_ name: String, _ text: String) -> TextMember {
        TextMember(name: name, text: text, origin: .query)
    }
}
