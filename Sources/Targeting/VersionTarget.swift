/// A version that others are held against, its bytes at hand.
// Asked for each request: to copy a SemanticVersion takes longer than to compare it.
struct VersionTarget: Sendable {
    private let bytes: [UInt8]
    private let parts: VersionParts

    init(_ version: SemanticVersion) {
        bytes = Array(version.text.utf8)
        parts = version.parts
    }

    /// Whether an operator holds of a text and this; nil where the text is no version.
    func holds(_ text: String, _ by: VersionOperator) -> Bool? {
        guard text.utf8.count <= SemanticVersion.greatestLength else { return nil }
        var text = text
        return text.withUTF8 { own in
            guard let version = VersionParts(own) else { return nil }
            return bytes.withUnsafeBufferPointer { target in
                by.holds(version.order(in: own, to: parts, in: target, numbers: by.numberCount))
            }
        }
    }
}
