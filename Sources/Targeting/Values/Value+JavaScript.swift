import JSONCodec

/// JavaScript's truth, equality, order, numbers and texts (ECMA-262, section 7), which JSONLogic
/// uses.
extension Value {
    /// Whether JSONLogic treats it as true: as in JavaScript, but empty lists are false.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let number): number != 0 && !number.isNaN
        case .text(let text): !text.isEmpty
        case .list(let list): !list.elements.isEmpty
        case .members: true
        }
    }

    /// Whether both have one type and are equal (`===`); lists and objects never are.
    func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): isSameText(left, right)
        default: false
        }
    }

    /// Whether both are loosely equal (`==`), like `1`, `"1.0"`, `true` and `[1]`.
    func isLooselyEqual(to other: Value) throws(Stop) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.text, .text):
            return isIdentical(to: other)
        case (.null, _), (_, .null):
            return false
        case (.list, .list), (.members, .members), (.list, .members), (.members, .list):
            return false
        case (.list, .text(let text)), (.members, .text(let text)):
            return isSameText(try self.text(), text)
        case (.text(let text), .list), (.text(let text), .members):
            return isSameText(text, try other.text())
        default:
            return try number() == other.number()
        }
    }

    /// Returns the order of two values: texts by UTF-16 units, others as numbers; nil if one is
    /// NaN.
    func order(to other: Value) throws(Stop) -> Int? {
        if let left = try primitiveText(), let right = try other.primitiveText() {
            return compareUTF16(left, right)
        }
        let left = try number()
        let right = try other.number()
        return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }

    /// The text of a value that is compared as text; nil for others.
    private func primitiveText() throws(Stop) -> String? {
        switch self {
        case .text(let text): text
        case .list, .members: try text()
        case .null, .bool, .number: nil
        }
    }

    /// Converts the value to a number, like JavaScript's `Number()`.
    func number() throws(Stop) -> Double {
        switch self {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .number(let number): number
        case .text(let text): NumericText.number(text)
        case .list: NumericText.number(try text())
        case .members: .nan
        }
    }

    /// Converts the value to a number, like JavaScript's `parseFloat()`.
    func leadingNumber() throws(Stop) -> Double {
        if case .number(let number) = self { return number }
        return NumericText.leadingNumber(try text())
    }

    /// Converts the value to a text, like JavaScript's `String()`.
    ///
    /// - Throws: if the text has more than 64 KiB.
    func text() throws(Stop) -> String {
        if case .text(let text) = self { return text }
        var text = ""
        try append(to: &text, nullText: "null")
        return text
    }

    /// Appends the value's text, like `Array.prototype.join` if `nullText` is empty.
    func append(to text: inout String, nullText: String = "") throws(Stop) {
        switch self {
        case .null: text += nullText
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number):
            text += JSON.Number(number)?.text ?? Self.text(ofInfinite: number)
        case .text(let own): text += own
        case .list(let list):
            for (place, element) in list.elements.enumerated() {
                if place > 0 { text += "," }
                try element.append(to: &text)
            }
        case .members: text += "[object Object]"
        }
        guard text.utf8.count <= TargetingLimits.textSize else { throw .textTooLong }
    }

    private static func text(ofInfinite number: Double) -> String {
        number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }
}

/// Returns the order of texts by UTF-16 units, found in their UTF-8 bytes.
///
/// It is the order of the bytes, except that surrogates (four bytes in UTF-8) precede U+E000.
private func compareUTF16(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { left in
        right.withUTF8 { right in
            for at in 0..<min(left.count, right.count) where left[at] != right[at] {
                let one = left[at]
                let two = right[at]
                if one >= 0xEE, two >= 0xEE, (one >= 0xF0) != (two >= 0xF0) {
                    return one >= 0xF0 ? -1 : 1
                }
                return one < two ? -1 : 1
            }
            return (left.count - right.count).signum()
        }
    }
}
