@testable import TraceContext

/// Feeds the two fields of a trace; the first byte chooses which.
@c(LLVMFuzzerTestOneInput)
public func fuzzTrace(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 1, let start else { return 0 }
    let text = UnsafeBufferPointer(start: start + 1, count: count - 1)
    if start[0] & 1 == 0 { checkParent(text) } else { checkState(text) }
    return 0
}

/// Checks that a parsed `traceparent` equals its text and is passed on unchanged.
private func checkParent(_ field: UnsafeBufferPointer<UInt8>) {
    guard let parent = TraceParent(field) else { return }
    precondition(Array(parent.text.utf8) == Array(field))
    precondition(parent.traceID.utf8.count == 32 && parent.parentID.utf8.count == 16)
    precondition(parent.traceID.contains { $0 != "0" } && parent.parentID.contains { $0 != "0" })
    precondition(parent.text.hasPrefix("00-") || field.count <= TraceParent.limit)
    precondition(TraceParent(parent.text.utf8) == parent)
}

/// A `tracestate` that goes on is within its bounds, and is read as the same again.
private func checkState(_ field: UnsafeBufferPointer<UInt8>) {
    let values = field.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let state = TraceState(values)
    precondition(state.members.count <= TraceState.memberLimit)
    precondition(state.text.utf8.count <= TraceState.limit)
    let keys = state.members.compactMap { $0.split(separator: "=").first }
    precondition(Set(keys).count == state.members.count)
    precondition(TraceState([state.text]) == state)
}
