package import JSONCodec
import JSONPatch

/// An environment's differences from the environments a document is promoted from: a JSON Patch
/// (RFC 6902).
package struct BehaviorOverrides: Codable, Sendable, Equatable {
    /// The patch's operations, an array.
    package var patch: JSON
    /// The author: an ``Author``'s number.
    package var by: String
    /// The author's name; may be empty.
    package var name: String
    /// When they were set, in seconds since 1970.
    package var at: Int

    /// The most operations.
    package static let maximumCount = 1_000
    /// The most bytes of a patch's text: 256 KiB.
    package static let maximumSize = 256 << 10

    /// Checks that a JSON value is a valid patch.
    ///
    /// - Throws: ``BehaviorStoreError`` with the problem, at a place below `pointer`.
    static func check(_ json: JSON, at pointer: String) throws(BehaviorStoreError) {
        _ = try patch(json, at: pointer)
        guard json.encoded().count <= maximumSize else {
            throw .tooMuch("overrides have \(maximumSize >> 10) KiB at most")
        }
    }

    private static func patch(
        _ json: JSON,
        at pointer: String
    ) throws(BehaviorStoreError) -> Patch {
        var bounds = PatchLimits()
        bounds.operations = maximumCount
        do throws(PatchError) {
            return try Patch(json, bounds: bounds)
        } catch {
            throw .invalid([
                JSONTypeError(pointer: pointer + error.pointer, message: error.message)
            ])
        }
    }

    /// Applies operations to a document; `whose` names their owner in error messages.
    ///
    /// - Throws: ``BehaviorStoreError`` if they can't be applied.
    static func lay(
        _ operations: JSON,
        over document: JSON,
        whose: String
    ) throws(BehaviorStoreError) -> JSON {
        let patch = try patch(operations, at: "")
        do throws(PatchError) {
            return try patch.apply(to: document)
        } catch {
            throw .unfitting(whose, error)
        }
    }
}

extension BehaviorOverrides {
    /// Reads the stored text.
    init(text: String) throws { self = try JSON.decode(Self.self, from: text.utf8) }
}
