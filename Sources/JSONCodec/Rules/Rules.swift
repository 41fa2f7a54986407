/// The constraints of one value, prepared for checking, with its documentation.
package struct Rules: Sendable {
    var minimum: JSON.Number?
    var maximum: JSON.Number?
    var exclusiveMinimum: JSON.Number?
    var exclusiveMaximum: JSON.Number?
    var multipleOf: JSON.Number?
    var minLength: Int?
    var maxLength: Int?
    var pattern: Pattern?
    /// The words for the pattern in error messages.
    var patternWords: String?
    var format: StringFormat?
    var minItems: Int?
    var maxItems: Int?
    var hasUniqueItems = false
    /// The JSON Schema of an object's names; decoding checks them.
    var names: JSON.Object?
    package var description: String?
    package var example: JSON?
    package var standIn: JSON?
    package var isDeprecated = false

    var appliesToNumbers: Bool {
        minimum != nil || maximum != nil || exclusiveMinimum != nil || exclusiveMaximum != nil
            || multipleOf != nil
    }
    var appliesToTexts: Bool {
        minLength != nil || maxLength != nil || pattern != nil || format != nil
    }
    var appliesToLists: Bool { minItems != nil || maxItems != nil || hasUniqueItems }

    /// Whether a value may violate a rule.
    var isChecked: Bool { appliesToNumbers || appliesToTexts || appliesToLists }

    /// Adds a constraint; returns its error, if any.
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
        return isContradictory ? "no value satisfies all limits" : nil
    }
}
