/// A field's media type: `type "/" subtype *( ";" parameter )` (RFC 9110 §8.3.1).
package struct MediaType {
    /// The value as sent.
    private let value: ByteSpan

    package init(_ value: ByteSpan) { self.value = value }

    package init(_ text: StaticString) {
        value = ByteSpan(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// The type and the subtype, without the parameters.
    package var essence: ByteSpan {
        value.slice(0, value.firstIndex(of: 0x3B) ?? value.count).trimmed
    }

    /// Returns a text's type and subtype in lower case.
    package static func essence(of text: String) -> String {
        var text = text
        return text.withUTF8 { MediaType($0).essence.text.lowercased() }
    }

    /// Whether it is JSON (RFC 8259) or has the suffix `+json` (RFC 6839).
    package var isJSON: Bool {
        if value.equals("application/json") { return true }
        let essence = essence
        return essence.equals(lowercase: "application/json") || essence.ends(lowercase: "+json")
    }

    /// Whether it is `application/x-www-form-urlencoded` (URL Standard, 5).
    package var isForm: Bool {
        // Most media types are JSON, which one letter rules out.
        guard value.count > 12, value[12] | 0x20 == 0x78 else { return false }
        return essence.equals(lowercase: "application/x-www-form-urlencoded")
    }
}

// MARK: - Parameters

extension MediaType {
    /// Calls `body` with each non-empty parameter, trimmed.
    ///
    /// A ";" in a quoted string doesn't end a parameter (RFC 9110 §5.6.6). `body` returns false to
    /// stop.
    func forEachParameter(_ body: (ByteSpan) -> Bool) {
        var end = value.firstIndex(of: 0x3B) ?? value.count
        while end < value.count {
            let start = end + 1
            end = endOfParameter(from: start)
            let parameter = value.slice(start, end).trimmed
            if !parameter.isEmpty, !body(parameter) { return }
        }
    }

    /// The result of comparing a parameter with a type's parameters.
    enum Agreement { case same, other, absent }

    /// Compares a parameter with the type's parameter of the same name.
    func agreement(with parameter: ByteSpan) -> Agreement {
        let equals = parameter.firstIndex(of: 0x3D) ?? parameter.count
        var agreement = Agreement.absent
        forEachParameter { own in
            guard own.count > equals, own[equals] == 0x3D,
                own.slice(0, equals).equals(ignoringCase: parameter.slice(0, equals))
            else { return true }
            agreement = own.equals(ignoringCase: parameter) ? .same : .other
            return false
        }
        return agreement
    }

    private func endOfParameter(from start: Int) -> Int {
        var isQuoted = false
        var isEscaped = false
        for index in start..<value.count {
            let byte = value[index]
            if isEscaped {
                isEscaped = false
            } else if byte == 0x22 {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == 0x5C
            } else if byte == 0x3B {
                return index
            }
        }
        return value.count
    }
}

extension ByteSpan {
    /// Whether the bytes begin with a lower-case text and are longer, ignoring the case of ASCII
    /// letters.
    package func begins(lowercase text: StaticString) -> Bool {
        count > text.utf8CodeUnitCount
            && slice(0, text.utf8CodeUnitCount).equals(lowercase: text)
    }

    /// Whether the bytes end with a lower-case text and are longer, ignoring the case of ASCII
    /// letters.
    package func ends(lowercase text: StaticString) -> Bool {
        count > text.utf8CodeUnitCount
            && slice(count - text.utf8CodeUnitCount, count).equals(lowercase: text)
    }
}
