/// A name that equals only names with the same UTF-8 bytes.
///
/// `String` equality includes canonical equivalents: U+212A (KELVIN SIGN) equals `K`. That would
/// merge two members of an object, or give one caller the permissions of another.
package struct ExactName: Hashable, Sendable {
    package var text: String

    package init(text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the two have the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
