import Targeting
import Behaviors
import JSONCodec
import JSONPatch

/// What a patch is written in.
package enum PatchForm: String, CaseIterable, Sendable {
    /// JSON Patch (RFC 6902).
    case operations = "application/json-patch+json"
    /// JSON Merge Patch (RFC 7396).
    case merge = "application/merge-patch+json"
}

/// What is to be changed of a document.
enum DocumentPatch: Sendable {
    case operations(Patch)
    case merge(JSON)

    /// Reads a patch.
    ///
    /// - Throws: ``BehaviorStoreError/patch(_:)`` where it is none.
    init(_ bytes: [UInt8], _ form: PatchForm) throws(BehaviorStoreError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes)
        } catch {
            let reason = "the patch is no JSON: \(error)"
            throw .patch(PatchError(kind: .malformed, pointer: error.pointer, message: reason))
        }
        switch form {
        case .operations:
            do throws(PatchError) {
                self = .operations(try Patch(json))
            } catch {
                throw .patch(error)
            }
        case .merge: self = .merge(json)
        }
    }

    /// The text of the document that the patch makes of another, checked as one that is put.
    ///
    /// Members keep their order, and numbers their digits; the layout is one line. A document that the
    /// patch leaves as it is stays so byte by byte.
    /// - Throws: ``BehaviorStoreError``.
    func apply(to bytes: [UInt8]) throws(BehaviorStoreError) -> PatchedText {
        try Self.text(of: bytes, changedBy: apply(_:))
    }

    /// The text of the document that `change` makes of another, as ``apply(to:)`` has it.
    static func text(
        of bytes: [UInt8],
        changedBy change: (JSON) throws(BehaviorStoreError) -> JSON
    ) throws(BehaviorStoreError) -> PatchedText {
        let document: JSON
        do throws(JSONError) {
            document = try JSON(parsing: bytes)
        } catch {
            throw .noJSON(BehaviorError(error))
        }
        let changed = try change(document)
        guard changed != document else { return PatchedText(bytes: bytes, behavior: nil) }
        let text = changed.encoded()
        guard text.count <= BehaviorDocument.greatestSize else {
            // Not the request's content is too large (413, RFC 9110 §15.5.14), but what would come of it:
            // it is understood and can't be done (422, RFC 5789 §2.2 and RFC 9110 §15.5.21).
            throw .invalid([
                JSONTypeError(pointer: "", message: "expected a document of 1 MiB at most")
            ])
        }
        return PatchedText(bytes: text, behavior: try DocumentCheck.check(text))
    }

    private func apply(_ document: JSON) throws(BehaviorStoreError) -> JSON {
        switch self {
        case .operations(let patch):
            do throws(PatchError) {
                return try patch.apply(to: document)
            } catch {
                throw .patch(error)
            }
        case .merge(let patch): return MergePatch.apply(patch, to: document)
        }
    }
}

/// The text of a patched document.
struct PatchedText {
    let bytes: [UInt8]
    /// The compiled document; nil where the patch left the bytes as they were.
    let behavior: TargetedBehavior?
}
