@testable import JSONCodec

/// Checks values against the keywords of JSON Schema 2020-12 that this module writes.
struct SchemaValidator {
    let root: JSON

    /// Returns the first violation; nil for a valid value.
    ///
    /// An unknown keyword is a violation.
    func violation(_ value: JSON) -> String? { violation(value, root, "") }

    private func violation(_ value: JSON, _ schema: JSON, _ place: String) -> String? {
        for (keyword, rule) in schema.object ?? JSON.Object() {
            guard !isValid(value, keyword, rule) else { continue }
            return "\(place): \(value) violates \(keyword): \(rule)"
        }
        if let reference = schema["$ref"]?.string {
            let name = String(reference.dropFirst("#/$defs/".count))
            guard let target = root["$defs"]?[name] else { return "\(place): no \(reference)" }
            if let found = violation(value, target, place) { return found }
        }
        if let any = schema["anyOf"]?.array {
            let found = any.map { violation(value, $0, place) }
            if !found.contains(nil) { return found.first ?? "" }
        }
        for (index, element) in (value.array ?? []).enumerated() {
            guard let items = schema["items"] else { continue }
            if let found = violation(element, items, "\(place)/\(index)") { return found }
        }
        let known = schema["properties"]
        for (name, part) in value.object ?? JSON.Object() {
            let own = known?[name] ?? schema["additionalProperties"]
            if let own, let found = violation(part, own, "\(place)/\(name)") { return found }
            guard let names = schema["propertyNames"] else { continue }
            if let found = violation(.string(name), names, "\(place)/\(name)~") { return found }
        }
        return nil
    }

    private func isValid(_ value: JSON, _ keyword: String, _ rule: JSON) -> Bool {
        switch keyword {
        case "type":
            return (rule.array ?? [rule]).contains { $0.string.map { isType(value, $0) } ?? false }
        case "enum": return rule.array?.contains(value) == true
        case "required":
            guard let members = value.object else { return true }
            return rule.array?.allSatisfy { members[$0.string ?? ""] != nil } == true
        case "minimum", "maximum":
            guard case .number(let number) = value, case .number(let limit) = rule,
                let left = DecimalText(number.text), let right = DecimalText(limit.text)
            else { return true }
            return keyword == "minimum" ? left.order(to: right) >= 0 : left.order(to: right) <= 0
        case "minLength": return (value.string?.unicodeScalars.count ?? .max) >= rule.int ?? 0
        case "uniqueItems": return Set(value.array ?? []).count == value.array?.count ?? 0
        case "pattern":
            guard let text = value.string else { return true }
            return (try? Pattern(rule.string ?? "("))?.matches(text) == true
        case "format":
            guard let text = value.string else { return true }
            let formats: [StringFormat] = [.uriReference, .uuid, .dateTime]
            return formats.first { $0.name == rule.string }?.accepts(text) == true
        case "$schema", "$defs", "$ref", "anyOf", "items", "properties", "additionalProperties",
            "propertyNames", "contentEncoding":
            return true
        default: return false
        }
    }

    private func isType(_ value: JSON, _ name: String) -> Bool {
        switch value {
        case .null: name == "null"
        case .bool: name == "boolean"
        case .number(let number):
            name == "number" || name == "integer" && !number.text.contains(".")
        case .string: name == "string"
        case .array: name == "array"
        case .object: name == "object"
        }
    }
}
