/// A version according to SemVer 2.0.0: `1.4.0-rc.1+build.7`.
///
/// As in flagd, a leading `v` or `V` is accepted, and minor and patch are optional: `v1.4` is
/// `1.4.0`, `1` is `1.0.0`. Numbers may have any length. Precedence ignores build metadata.
public struct SemanticVersion: Sendable, Comparable, Hashable, CustomStringConvertible {
    /// The version, as the author wrote it.
    public let text: String
    let parts: VersionParts

    /// The longest accepted text, in bytes.
    public static let maximumLength = 256

    /// Parses a version; nil if the text is invalid.
    public init?(_ text: String) {
        var text = text
        guard text.utf8.count <= Self.maximumLength,
            let parts = text.withUTF8({ VersionParts($0) })
        else { return nil }
        self.text = text
        self.parts = parts
    }

    /// Whether both have the same precedence; build metadata is ignored.
    public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) == 0
    }

    /// Whether the left version has the lower precedence (SemVer 2.0.0, section 11).
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.order(to: right) < 0
    }

    /// Feeds the parts that precedence depends on to a hasher.
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

    /// The version, as the author wrote it.
    public var description: String { text }

    private func order(to other: SemanticVersion) -> Int {
        var text = text
        var otherText = other.text
        return text.withUTF8 { left in
            otherText.withUTF8 { parts.order(in: left, to: other.parts, in: $0) }
        }
    }
}
