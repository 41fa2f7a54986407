/// A version as SemVer 2.0.0 has it: `1.4.0-rc.1+build.7`.
///
/// As flagd does, it takes a leading `v` or `V`, and versions without a patch or a minor: `v1.4` is
/// `1.4.0`, `1` is `1.0.0`. Numbers may have any length. Build metadata has no part in precedence.
public struct SemanticVersion: Sendable, Comparable, Hashable, CustomStringConvertible {
    /// The version, as it was written.
    public let text: String
    let parts: VersionParts

    /// The longest text that is taken for a version, in bytes.
    public static let greatestLength = 256

    /// Reads a version, nil where the text is none.
    public init?(_ text: String) {
        var text = text
        guard text.utf8.count <= Self.greatestLength,
            let parts = text.withUTF8({ VersionParts($0) })
        else { return nil }
        self.text = text
        self.parts = parts
    }

    /// Whether both have the same precedence; build metadata doesn't matter.
    public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) == 0
    }

    /// Whether a version comes before another (SemVer 2.0.0, section 11).
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) < 0
    }

    /// Feeds what versions of the same precedence share to a hasher.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in
            for part in [parts.major, parts.minor, parts.patch, parts.prerelease] {
                hasher.combine(part.count)
                hasher.combine(
                    bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[part])
                )
            }
        }
    }

    /// The version, as it was written.
    public var description: String { text }

    private func order(to other: SemanticVersion) -> Int {
        var text = text
        var otherText = other.text
        return text.withUTF8 { left in
            otherText.withUTF8 { parts.order(in: left, to: other.parts, in: $0) }
        }
    }
}
