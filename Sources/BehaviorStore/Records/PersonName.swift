import JSONCodec

/// A person's name in the form that approvals compare.
///
/// Two people must differ in more than the look of their names: `Dave`, `dave ` and `Ｄａｖｅ` are one
/// person. The form approximates NFKC_Casefold (Unicode §3.13) with single spaces.
struct PersonName: Hashable {
    /// The name; `String` compares by canonical equivalence.
    private let text: String

    /// Whether a name has nothing visible, so that it identifies nobody.
    let isEmpty: Bool
    /// Whether each character has a known form.
    ///
    /// A name with another compatibility character, such as a ligature, can't be compared.
    let isComparable: Bool

    init(_ name: String) {
        var folded = String.UnicodeScalarView()
        var isComparable = true
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace {
                folded.append(" ")
            } else if !properties.isDefaultIgnorableCodePoint {
                let plain = Self.plainForm(of: scalar)
                // Both steps are needed: `ß` becomes `ss`, and a final sigma becomes a sigma.
                for upper in plain.properties.uppercaseMapping.unicodeScalars {
                    folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                }
                isComparable = isComparable && Self.isFoldable(plain)
            }
        }
        text = String(folded).split(separator: " ").joined(separator: " ")
        isEmpty = text.isEmpty
        self.isComparable = isComparable
    }

    /// Whether the case mappings alone fold the character.
    private static func isFoldable(_ scalar: Unicode.Scalar) -> Bool {
        if !scalar.properties.changesWhenNFKCCaseFolded { return true }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        return upper.allSatisfy { !$0.properties.changesWhenNFKCCaseFolded }
            || upper.allSatisfy { upper in
                upper.properties.lowercaseMapping.unicodeScalars
                    .allSatisfy { !$0.properties.changesWhenNFKCCaseFolded }
            }
    }

    /// Returns the letter or digit that a styled one stands for.
    private static func plainForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.value >= 0x80 else { return scalar }
        let run = StyledLetters.runs.last { $0.first <= scalar.value }
        guard let run, scalar.value - run.first < run.count else { return scalar }
        return Unicode.Scalar(run.plain + scalar.value - run.first) ?? scalar
    }
}

extension Contributor {
    /// Whether approvals can distinguish the person: by a name, or as the editor of files.
    var isIdentifiable: Bool { id == Author.editor.id || !PersonName(name).isEmpty }

    /// Whether it is the same person: by number, or by name, since a person may have two tokens.
    func isSame(as other: Contributor) -> Bool {
        if id.hasSameBytes(as: other.id) { return true }
        let name = PersonName(name)
        return !name.isEmpty && name == PersonName(other.name)
    }
}
