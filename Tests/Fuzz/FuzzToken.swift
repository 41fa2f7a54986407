import Digests
import COpenSSL

@testable import HTTPSyntax
@testable import Identity
@testable import JSONCodec

/// Feeds the checks of tokens, as a token, as a set of keys and as a signature: nothing traps, nothing is
/// left in OpenSSL's queue, and nothing is taken that the keys' owners haven't signed.
@c(LLVMFuzzerTestOneInput)
public func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = ByteSpan(start: start, count: start == nil ? 0 : count)
    let bytes = Array(text)
    if let token = try? WebToken(text) { check(token) }
    if let set = try? KeySet(parsing: bytes), let ring = try? KeyRing(set) { check(set, ring) }
    for (key, algorithms) in keys {
        for algorithm in algorithms {
            precondition(!key.accepts(bytes, of: [1], by: algorithm), "a signature of nobody's")
        }
    }
    precondition(ERR_peek_error() == 0, "an error for the thread's next")
    return 0
}

/// Keys that RFC 7515, 6979, 7520 and 8037 publish, one of each kind.
private let set = """
    {"keys":[
    {"kty":"RSA","e":"AQAB","n":"n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmS\
    CpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-Of\
    VfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKw\
    uCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw"},
    {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},
    {"kty":"EC","crv":"P-384","x":"7DpOQVtOGaRWhhgCn0J_pdqai8SukuAuBqrlKGswDGTe-PDqkFWGYGSiVFFUgLwT",
    "y":"gBXZty19VyROqO-awMYhiWcIpZNn-d-59UyoSz8cnbEoiyMcOuDU_nNE_SUzJkcg"},
    {"kty":"EC","crv":"P-521",
    "x":"AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
    "y":"AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1"},
    {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
    """

private let keys: [(VerificationKey, [SignatureAlgorithm])] = {
    let keys = (try? KeySet(parsing: Array(set.utf8)))?.keys ?? []
    let made = keys.compactMap { key in VerificationKey(key.key).map { ($0, key.algorithms) } }
    precondition(made.count == 5, "a key is missing")
    return made
}()

/// The digests of what the RFCs have signed with them.
private let signed: [[UInt8]] = [
    [0x8F, 0xB2, 0xEF, 0xE8, 0x7F, 0x6D, 0xA8, 0x1C],
    [0x21, 0xC6, 0x73, 0x68, 0xF4, 0x36, 0x57, 0x7F],
    [0x78, 0xCE, 0x38, 0x07, 0x01, 0x90, 0xE3, 0xD6],
]

private func check(_ token: WebToken) {
    for (key, _) in keys
    where key.accepts(token.signature, of: token.message, by: token.algorithm) {
        let digest = token.message.withUnsafeBufferPointer(Digest.sha256)
        precondition(signed.contains(Array(digest.prefix(8))), "a message that nobody has signed")
    }
    if let claims = try? token.claims() {
        precondition(claims.object != nil, "claims of no object")
    }
}

private func check(_ set: KeySet, _ ring: KeyRing) {
    precondition(
        !set.keys.isEmpty && set.keys.count <= KeySet.maximumCount,
        "no keys, or too many"
    )
    for key in set.keys {
        for algorithm in SignatureAlgorithm.allCases {
            guard case .key(let found) = ring.match(key.name, algorithm) else { continue }
            precondition(!found.accepts([], of: [1], by: algorithm), "no signature is taken")
        }
    }
}
