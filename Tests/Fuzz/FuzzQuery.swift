import HTTPSyntax
@testable import JSONCodec
@testable import PlugHTTP

/// Feeds the readers of queries and of paths; the first byte chooses which.
@c(LLVMFuzzerTestOneInput)
public func fuzzQuery(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let start else { return 0 }
    let text = UnsafeBufferPointer(start: start + 1, count: count - 1)
    if start[0] & 1 == 0 { checkQuery(text) } else { checkPath(text) }
    return 0
}

/// Checks that a parsed query is within its limits, and is unchanged after writing and parsing.
private func checkQuery(_ query: UnsafeBufferPointer<UInt8>) {
    guard let members = try? Query.members(of: query) else { return }
    precondition(members.count <= Query.maximumCount)
    precondition(!members.contains { $0.name.utf8.contains(0) || $0.text.utf8.contains(0) })
    // An item of an empty name and an empty text is written as `=`.
    let text = Query.text(members.map { ($0.name, $0.text) })
    Array(text.utf8).withUnsafeBufferPointer { bytes in
        let again = try? Query.members(of: bytes)
        precondition(again == members)
    }
}

/// The normal form of a path is its own, and stands for the same text.
private func checkPath(_ path: UnsafeBufferPointer<UInt8>) {
    // A target's bytes are those of ASCII (RFC 3986 §2).
    guard path.allSatisfy({ $0 < 0x80 }), let text = PercentCoding.decode(path) else { return }
    let normal = PercentCoding.normalized(path)
    precondition(PercentCoding.normalized(normal.utf8) == normal)
    precondition(decode(normal) == text)
    precondition(decode(PercentCoding.encode(text)) == text)
}

private func decode(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { PercentCoding.decode($0) }
}
