/// Writes the types of schemas.
struct DeclarationWriter {
    func write(_ declaration: Declaration, to lines: inout SwiftLines) {
        switch declaration {
        case .structure(let structure): StructureWriter(structure).write(to: &lines)
        case .enumeration(let enumeration): write(enumeration, to: &lines)
        case .union(let union): write(union, to: &lines)
        }
    }

    // MARK: Listed values

    private func write(_ enumeration: Enumeration, to lines: inout SwiftLines) {
        let raw = enumeration.isInteger ? "Int" : "String"
        let access = lines.access
        lines.comment(enumeration.comment)
        lines.block("\(access)enum \(enumeration.name): Codable, Hashable, Sendable") { lines in
            for value in enumeration.cases { lines.add("case \(SwiftName.quoted(value.name))") }
            lines.comment("A value that the description doesn't have.")
            lines.add("case unrecognized(\(raw))")
            lines.blank()
            lines.comment("Creates the case of a value.")
            lines.block("\(access)init(rawValue: \(raw))") { lines in
                lines.add("switch rawValue {")
                for value in enumeration.cases {
                    lines.add("case \(value.literal): self = .\(SwiftName.quoted(value.name))")
                }
                lines.add("default: self = .unrecognized(rawValue)")
                lines.add("}")
            }
            lines.blank()
            lines.comment("The value as it is sent.")
            lines.block("\(access)var rawValue: \(raw)") { lines in
                lines.add("switch self {")
                for value in enumeration.cases {
                    lines.add("case .\(SwiftName.quoted(value.name)): \(value.literal)")
                }
                lines.add("case .unrecognized(let value): value")
                lines.add("}")
            }
            lines.blank()
            lines.comment("Decodes any value.")
            lines.block("\(access)init(from decoder: any Decoder) throws") { lines in
                lines.add(
                    "self.init(rawValue: try decoder.singleValueContainer().decode(\(raw).self))"
                )
            }
            lines.blank()
            lines.comment("Encodes the value.")
            lines.block("\(access)func encode(to encoder: any Encoder) throws") { lines in
                lines.add("var container = encoder.singleValueContainer()")
                lines.add("try container.encode(rawValue)")
            }
        }
    }

    // MARK: Variants

    private func write(_ union: Union, to lines: inout SwiftLines) {
        let access = lines.access
        let indirect = union.isIndirect ? "indirect " : ""
        lines.comment(union.comment)
        lines.block("\(access)\(indirect)enum \(union.name): Codable, Hashable, Sendable") {
            lines in
            for variant in union.variants {
                lines.add("case \(SwiftName.quoted(variant.name))(\(variant.type.text))")
            }
            lines.comment("A variant that the description doesn't have.")
            lines.add("case unrecognized(JSON)")
            lines.blank()
            lines.comment("Decodes the variant that a value is.")
            lines.block("\(access)init(from decoder: any Decoder) throws") { lines in
                lines.add("let json = try JSON(from: decoder)")
                for variant in union.variants {
                    let test = test(variant, union.discriminator).joined(separator: ", ")
                    let type = variant.type.text
                    let value = "let value = try? json.decode(\(type).self)"
                    lines.block("if \(test.isEmpty ? "" : test + ", ")\(value)") { lines in
                        lines.add("self = .\(SwiftName.quoted(variant.name))(value)")
                        lines.add("return")
                    }
                }
                lines.add("self = .unrecognized(json)")
            }
            lines.blank()
            lines.comment("Encodes the variant.")
            lines.block("\(access)func encode(to encoder: any Encoder) throws") { lines in
                lines.add("switch self {")
                for variant in union.variants { encode(variant, union.discriminator, &lines) }
                lines.add("case .unrecognized(let value): try value.encode(to: encoder)")
                lines.add("}")
            }
        }
    }

    /// The conditions of a value for a variant.
    private func test(_ variant: Union.Variant, _ discriminator: String?) -> [String] {
        if let discriminator {
            let key = SwiftText.literal(discriminator)
            let tags = variant.tags.map(SwiftText.literal)
            return ["[\(tags.joined(separator: ", "))].contains(json[\(key)]?.string)"]
        }
        switch variant.kind {
        case .object:
            let constants = variant.constants.map {
                "json[\(SwiftText.literal($0.key))]?.string == \($0.value)"
            }
            let required = variant.required.filter { key in
                !variant.constants.contains { $0.key == key }
            }
            return ["json.object != nil"] + constants
                + required.map { "json[\(SwiftText.literal($0))] != nil" }
        case .array: return ["json.array != nil"]
        case .string: return ["json.string != nil"]
        case .integer: return ["json.int != nil"]
        case .number: return ["json.double != nil"]
        case .boolean: return ["json.bool != nil"]
        case .any: return []
        }
    }

    private func encode(
        _ variant: Union.Variant,
        _ discriminator: String?,
        _ lines: inout SwiftLines
    ) {
        let name = SwiftName.quoted(variant.name)
        guard let discriminator, variant.tags.count == 1, let tag = variant.tags.first else {
            lines.add("case .\(name)(let value): try value.encode(to: encoder)")
            return
        }
        lines.add("case .\(name)(let value):")
        lines.add("    var json = try JSON(encoding: value)")
        lines.add(
            "    json[\(SwiftText.literal(discriminator))] = .string(\(SwiftText.literal(tag)))"
        )
        lines.add("    try json.encode(to: encoder)")
    }
}
