/// The constraints of one value, ready to be checked, and what is shown beside them.
package struct Rules: Sendable {
    var minimum: JSON.Number?
    var maximum: JSON.Number?
    var exclusiveMinimum: JSON.Number?
    var exclusiveMaximum: JSON.Number?
    var multipleOf: JSON.Number?
    var minLength: Int?
    var maxLength: Int?
    var pattern: Pattern?
    /// What the pattern expects, in words.
    var patternWords: String?
    var format: StringFormat?
    var minItems: Int?
    var maxItems: Int?
    var hasUniqueItems = false
    package var description: String?
    package var example: JSON?
    package var standIn: JSON?
    package var isDeprecated = false

    var concernsNumbers: Bool {
        minimum != nil || maximum != nil || exclusiveMinimum != nil || exclusiveMaximum != nil
            || multipleOf != nil
    }
    var concernsTexts: Bool {
        minLength != nil || maxLength != nil || pattern != nil || format != nil
    }
    var concernsLists: Bool { minItems != nil || maxItems != nil || hasUniqueItems }

    /// Whether there is a rule that a value may break.
    var isChecked: Bool { concernsNumbers || concernsTexts || concernsLists }

    /// Adds a constraint; gives back what is wrong with it.
    mutating func add(_ constraint: Constraint) -> String? {
        switch constraint.kind {
        case .minimum(let number): minimum = number
        case .maximum(let number): maximum = number
        case .exclusiveMinimum(let number): exclusiveMinimum = number
        case .exclusiveMaximum(let number): exclusiveMaximum = number
        case .multipleOf(let number):
            guard let unit = DecimalText(number.text), unit.isPositiveUnit else {
                return "a value can't be a multiple of \(number)"
            }
            multipleOf = number
        case .minLength(let count): minLength = count
        case .maxLength(let count): maxLength = count
        case .minItems(let count): minItems = count
        case .maxItems(let count): maxItems = count
        case .uniqueItems: hasUniqueItems = true
        case .pattern(let expression, let words):
            patternWords = words
            do {
                pattern = try Pattern(expression)
            } catch {
                return "the pattern \(expression) can't be used: \(error)"
            }
        case .format(let format): self.format = format
        case .items: break
        case .description(let text): description = text
        case .example(let value): example = value
        case .standIn(let value): standIn = value
        case .deprecated: isDeprecated = true
        }
        return contradiction
    }

    private var contradiction: String? {
        func exceeds<T: Comparable>(_ least: T?, _ most: T?) -> Bool {
            guard let least, let most else { return false }
            return least > most
        }
        let isContradictory =
            exceeds(minLength, maxLength) || exceeds(minItems, maxItems)
            || exceeds(minimum?.double, maximum?.double)
            || [minLength, maxLength, minItems, maxItems].contains { ($0 ?? 0) < 0 }
        return isContradictory ? "no value can keep all of its bounds" : nil
    }
}

extension Rules {
    /// What a number breaks.
    func failures(of number: NumberText) -> [String] {
        guard concernsNumbers else { return [] }
        let text = String(decoding: number.bytes, as: UTF8.self)
        guard let value = DecimalText(text) else { return [] }
        var failures: [String] = []
        func check(_ bound: JSON.Number?, _ words: String, _ holds: (Int) -> Bool) {
            guard let bound, let other = DecimalText(bound.text) else { return }
            if !holds(value.order(to: other)) { failures.append("expected \(words) \(bound)") }
        }
        if let minimum, let maximum {
            let isWithin =
                DecimalText(minimum.text).map { value.order(to: $0) >= 0 } != false
                && DecimalText(maximum.text).map { value.order(to: $0) <= 0 } != false
            if !isWithin { failures.append("expected \(minimum) to \(maximum)") }
        } else {
            check(minimum, "at least") { $0 >= 0 }
            check(maximum, "at most") { $0 <= 0 }
        }
        check(exclusiveMinimum, "more than") { $0 > 0 }
        check(exclusiveMaximum, "less than") { $0 < 0 }
        if let multipleOf, let unit = DecimalText(multipleOf.text), !value.isMultiple(of: unit) {
            failures.append("expected a multiple of \(multipleOf)")
        }
        return failures
    }

    /// What a text breaks.
    ///
    /// One that is too long isn't looked at any further, since that takes time.
    func failures(of text: @autoclosure () -> String) -> [String] {
        guard concernsTexts else { return [] }
        let text = text()
        var failures: [String] = []
        if minLength != nil || maxLength != nil {
            // Code points, as JSON Schema counts (validation, 6.3.1), and not characters.
            let count = text.unicodeScalars.count
            if count < minLength ?? 0 || count > maxLength ?? .max {
                failures.append("expected \(Self.range(minLength, maxLength)) characters")
                if count > maxLength ?? .max { return failures }
            }
        }
        if let pattern, !pattern.matches(text) {
            let words = patternWords ?? "a text that matches \(pattern.text)"
            failures.append("expected \(words)")
        }
        if let format, !format.accepts(text) { failures.append(format.expectation) }
        return failures
    }

    /// What a list breaks.
    func failures(ofListWith count: Int, _ elements: () -> [JSON]) -> [String] {
        guard concernsLists else { return [] }
        var failures: [String] = []
        if count < minItems ?? 0 || count > maxItems ?? .max {
            failures.append("expected \(Self.range(minItems, maxItems)) elements")
            if count > maxItems ?? .max { return failures }
        }
        if hasUniqueItems {
            let elements = elements().map(\.normal)
            if Set(elements).count < elements.count {
                failures.append("expected no two equal elements")
            }
        }
        return failures
    }

    private static func range(_ least: Int?, _ most: Int?) -> String {
        switch (least, most) {
        case (let least?, let most?): least == most ? "\(least)" : "\(least) to \(most)"
        case (let least?, nil): "at least \(least)"
        case (nil, let most): "at most \(most ?? 0)"
        }
    }
}

extension JSON {
    /// The same value with each number as every equal one is written.
    fileprivate var normal: JSON {
        switch self {
        case .number(let number): .string("\0\(DecimalText(number.text)?.normal ?? number.text)")
        case .array(let elements): .array(elements.map(\.normal))
        case .object(let members): .object(Object(members.map { ($0.name, $0.value.normal) }))
        case .null, .bool, .string: self
        }
    }
}
