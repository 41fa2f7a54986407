import HTTPSyntax
import HTTPServer
import Identity
import Plug
import PlugHTTP

extension PlugKey {
    /// Whom a request's call is for, where any plan looks at that: the caller that was made out, or
    /// else whoever has the same credentials, by their digest, since code may look at a key.
    @inline(__always)
    static func of(_ head: RequestHead) -> String? { isWanted ? find(head) : nil }

    @inline(never)
    private static func find(_ head: RequestHead) -> String? {
        if let caller = Caller.current { return caller.id }
        return head.field("authorization").map { Base64URL.encode(Array(Digest.sha256($0))) }
    }

    /// Prepares an answer, and makes it, for that one.
    @inline(never)
    static func within(_ key: String, _ answer: () throws -> Reply) rethrows -> Reply {
        switch try $current.withValue(key, operation: answer) {
        case .now(let response): return .now(response)
        case .later(let work): return .later { await $current.withValue(key) { await work() } }
        }
    }
}
