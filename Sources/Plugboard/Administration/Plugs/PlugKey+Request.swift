import Digests
import HTTPSyntax
import HTTPServer
import Identity
import Plug
import PlugHTTP

extension PlugKey {
    /// Returns the key of a request's call, if any plan needs one.
    ///
    /// It is the caller's identifier, or a digest of the credentials, because code can read a key.
    @inline(__always)
    static func of(_ request: borrowing Request, _ callers: Access?) -> String? {
        isWanted ? find(request, callers) : nil
    }

    @inline(never)
    private static func find(_ request: borrowing Request, _ callers: Access?) -> String? {
        if let caller = request.caller { return caller.id }
        return request.credentials(for: callers?.credentials.authenticators ?? [])
            .map(Base64URL.encode)
    }

    /// Runs `answer` and its reply's work with a key.
    @inline(never)
    static func within(_ key: String, _ answer: () throws -> Reply) rethrows -> Reply {
        switch try $current.withValue(key, operation: answer) {
        case .now(let response): return .now(response)
        case .later(let work): return .later { await $current.withValue(key) { await work() } }
        }
    }
}
