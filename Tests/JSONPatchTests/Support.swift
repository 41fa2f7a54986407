import JSONCodec
import JSONPatch

/// Reads a document.
func json(_ text: String) throws -> JSON { try JSON(parsing: text.utf8) }

/// Applies a patch: the document that it makes, or what is said where it fails.
func patched(_ document: String, _ patch: String) throws -> String {
    do throws(PatchError) {
        return try Patch(try read(patch)).apply(to: try read(document)).description
    } catch {
        return error.description
    }
}

private func read(_ text: String) throws(PatchError) -> JSON {
    do throws(JSONError) {
        return try JSON(parsing: text.utf8)
    } catch {
        throw PatchError(kind: .malformed, pointer: "", message: error.description)
    }
}

/// Numbers that look random and are the same in each run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
