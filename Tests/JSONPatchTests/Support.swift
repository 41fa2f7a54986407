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
