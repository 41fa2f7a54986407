/// The version to compare others with, as bytes.
// Each request compares versions; copying a `SemanticVersion` takes longer than the comparison.
struct VersionTarget: Sendable {
    private let bytes: [UInt8]
    private let parts: VersionParts

    init(_ version: SemanticVersion) {
        bytes = Array(version.text.utf8)
        parts = version.parts
    }

    /// Returns whether the operator is true for a text and this version; nil if the text is
    /// invalid.
    func holds(_ text: String, _ by: VersionOperator) -> Bool? {
        guard text.utf8.count <= SemanticVersion.maximumLength else { return nil }
        var text = text
        return text.withUTF8 { own in
            guard let version = VersionParts(own) else { return nil }
            return bytes.withUnsafeBufferPointer { target in
                by.holds(version.order(in: own, to: parts, in: target, numbers: by.numberCount))
            }
        }
    }
}
