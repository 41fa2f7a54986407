@testable import JSONCodec
@testable import JSONPatch

/// Feeds the patches, as `[document, patch or other document]`: nothing traps, and what is made is
/// within the bounds.
///
/// A valid patch is written as it was read. The patch between two documents produces the second.
@c(LLVMFuzzerTestOneInput)
public func fuzzPatch(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    if let pointer = try? Pointer(String(decoding: bytes, as: UTF8.self)) {
        precondition(
            (try? Pointer(pointer.description))?.tokens == pointer.tokens,
            "another pointer"
        )
    }
    guard let input = (try? JSON(parsing: bytes))?.array, input.count > 1 else { return 0 }
    checkPatch(input[1], input[0])
    checkMerge(input[1], input[0])
    let patch = Patch(from: input[0], to: input[1])
    precondition((try? patch.apply(to: input[0])) == input[1], "the patch gives another document")
    precondition(Patch(from: input[1], to: input[1]).operations.isEmpty, "a change of nothing")
    return 0
}

private func checkPatch(_ json: JSON, _ document: JSON) {
    do throws(PatchError) {
        let patch = try Patch(json)
        let patched = try patch.apply(to: document)
        let again = try Patch(patch.json).apply(to: document)
        precondition(patched == again, "not written as it was read")
        let text = patched.encoded()
        precondition(text.count < 8 << 20, "a huge document")
        precondition((try? JSON(parsing: text)) == patched, "a document that can't be read")
    } catch {
        precondition(error.pointer.isEmpty || error.pointer.hasPrefix("/"), "no pointer")
        precondition(!error.message.isEmpty, "no reason")
        precondition(error.operation != nil || error.kind == .malformed, "no operation")
    }
}

private func checkMerge(_ patch: JSON, _ document: JSON) {
    let merged = MergePatch.apply(patch, to: document)
    precondition(MergePatch.apply(patch, to: merged) == merged, "merged twice, another document")
    precondition((try? JSON(parsing: merged.encoded())) == merged, "a document that can't be read")
}
