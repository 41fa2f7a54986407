import Targeting
import Behaviors
import JSONCodec
import JSONPatch

/// The media type of a patch.
package enum PatchForm: String, CaseIterable, Sendable {
    /// JSON Patch (RFC 6902).
    case operations = "application/json-patch+json"
    /// JSON Merge Patch (RFC 7396).
    case merge = "application/merge-patch+json"
}

/// A parsed patch of a document.
enum DocumentPatch: Sendable {
    case operations(Patch)
    case merge(JSON)

    /// Parses a patch.
    ///
    /// - Throws: ``BehaviorStoreError/patch(_:)`` if it is invalid.
    init(_ bytes: [UInt8], _ form: PatchForm) throws(BehaviorStoreError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes)
        } catch {
            let reason = "the patch is not JSON: \(error)"
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

    /// Applies the patch to a document, and checks the result like a document that is put.
    ///
    /// Members keep their order, and numbers their digits; the layout is one line. If the patch
    /// changes nothing, the bytes stay the same.
    /// - Throws: ``BehaviorStoreError``.
    func apply(to bytes: [UInt8]) throws(BehaviorStoreError) -> PatchedText {
        try Self.text(of: bytes, changedBy: apply(_:))
    }

    /// Returns the text of a document that `change` changes, by the rules of ``apply(to:)``.
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
        guard text.count <= BehaviorDocument.maximumSize else {
            // The request's content isn't too large (413, RFC 9110 §15.5.14), but the result would
            // be: a valid request that can't be processed (422, RFC 5789 §2.2 and RFC 9110
            // §15.5.21).
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
    /// The compiled document; nil if the patch left the bytes unchanged.
    let behavior: TargetedBehavior?
}
