/// Writes the type of an object.
struct StructureWriter {
    private let structure: Structure

    init(_ structure: Structure) { self.structure = structure }

    func write(to lines: inout SwiftLines) {
        let access = lines.access
        lines.comment(structure.comment)
        let protocols =
            structure.problem == nil
            ? "Codable, Hashable, Sendable" : "DeclaredProblem, Hashable"
        lines.block("\(access)struct \(structure.name): \(protocols)") { lines in
            if let problem = structure.problem { Self.write(problem, to: &lines) }
            Self.properties(structure.members, to: &lines)
            if let additional = structure.additional {
                lines.comment("The other members.")
                lines.add("\(access)var additional: [String: \(additional.written)]")
            }
            Self.initializer(structure.members, structure.additional, to: &lines)
            if structure.additional != nil {
                openCoding(to: &lines)
            } else if structure.members.contains(where: \.encodesNull) {
                Self.keys(structure.members, isNeeded: true, to: &lines)
                Self.encoding(structure.members, to: &lines)
            } else {
                Self.keys(structure.members, isNeeded: false, to: &lines)
            }
        }
    }

    private static func write(_ problem: DeclaredError, to lines: inout SwiftLines) {
        let access = lines.access
        lines.comment("The status of the response.")
        lines.add("\(access)static let status = HTTPResponse.Status(code: \(problem.status))")
        lines.comment("The kind of problem.")
        lines.add("\(access)static let type = \(SwiftText.literal(problem.type))")
        lines.comment("The kind of problem in words.")
        lines.add("\(access)static let title = \(SwiftText.literal(problem.title))")
        lines.blank()
    }

    /// Writes the stored properties.
    static func properties(_ members: [Member], to lines: inout SwiftLines) {
        for member in members {
            lines.comment(member.comment)
            lines.add("\(lines.access)var \(SwiftName.quoted(member.name)): \(member.written)")
        }
    }

    /// Writes the initializer: required members first in order, each optional one with a default.
    static func initializer(
        _ members: [Member],
        _ additional: SwiftType? = nil,
        body: (type: String, isRequired: Bool)? = nil,
        to lines: inout SwiftLines
    ) {
        var parameters = members.map { member in
            let value = member.standIn.map { " = \($0)" } ?? ""
            return "\(SwiftName.quoted(member.name)): \(member.written)\(value)"
        }
        var names = members.map(\.name)
        if let body {
            parameters.append("body: \(body.type)" + (body.isRequired ? "" : "? = nil"))
            names.append("body")
        }
        if let additional {
            parameters.append("additional: [String: \(additional.written)] = [:]")
            names.append("additional")
        }
        let access = lines.access
        lines.blank()
        lines.comment("Creates a value of its members.")
        let one = "\(access)init(\(parameters.joined(separator: ", ")))"
        if one.count <= 90 {
            lines.block(one) { Self.assign(names, to: &$0) }
            return
        }
        lines.add("\(access)init(")
        for (index, parameter) in parameters.enumerated() {
            lines.add("    \(parameter)" + (index + 1 < parameters.count ? "," : ""))
        }
        lines.block(")") { Self.assign(names, to: &$0) }
    }

    private static func assign(_ names: [String], to lines: inout SwiftLines) {
        for name in names { lines.add("self.\(name) = \(SwiftName.quoted(name))") }
    }

    /// Writes the names in JSON, if they differ or are needed.
    static func keys(_ members: [Member], isNeeded: Bool, to lines: inout SwiftLines) {
        guard isNeeded || members.contains(where: { $0.name != $0.key }), !members.isEmpty else {
            return
        }
        lines.blank()
        lines.block("private enum CodingKeys: String, CodingKey") { lines in
            for member in members {
                let value = member.name == member.key ? "" : " = \(SwiftText.literal(member.key))"
                lines.add("case \(SwiftName.quoted(member.name))\(value)")
            }
        }
    }

    /// Writes an encoding in which a required member may be null.
    static func encoding(_ members: [Member], to lines: inout SwiftLines) {
        lines.blank()
        lines.comment("Encodes the members; a required one may be null.")
        lines.block("\(lines.access)func encode(to encoder: any Encoder) throws") { lines in
            guard !members.isEmpty else {
                lines.add("try JSON.object([:]).encode(to: encoder)")
                return
            }
            lines.add("var container = encoder.container(keyedBy: CodingKeys.self)")
            for member in members {
                let name = SwiftName.quoted(member.name)
                let omits = member.isOptional && !member.isRequired
                lines.add(
                    "try container.encode\(omits ? "IfPresent" : "")(\(name), forKey: .\(name))"
                )
            }
        }
    }

    /// Writes the coding of an object with members of any name.
    private func openCoding(to lines: inout SwiftLines) {
        let access = lines.access
        let value = structure.additional?.written ?? "JSON"
        let names = structure.members.map { SwiftText.literal($0.key) }.joined(separator: ", ")
        Self.keys(structure.members, isNeeded: true, to: &lines)
        lines.blank()
        lines.comment("Decodes the members, and all others into `additional`.")
        lines.block("\(access)init(from decoder: any Decoder) throws") { lines in
            if !structure.members.isEmpty {
                lines.add("let container = try decoder.container(keyedBy: CodingKeys.self)")
            }
            for member in structure.members {
                let name = SwiftName.quoted(member.name)
                let type = member.isBoxed ? "Boxed<\(member.type.text)>" : member.type.text
                let word = member.isOptional ? "decodeIfPresent" : "decode"
                lines.add(
                    "self.\(member.name) = try container.\(word)(\(type).self, forKey: .\(name))"
                )
            }
            lines.add("let known: Set<String> = [\(names)]")
            lines.add("self.additional = [:]")
            lines.block(
                "for (name, value) in try JSON(from: decoder).object ?? [:] where !known.contains(name)"
            ) {
                $0.add("self.additional[name] = try value.decode(\(Self.decoded(value)).self)")
            }
        }
        lines.blank()
        lines.comment("Encodes all members.")
        lines.block("\(access)func encode(to encoder: any Encoder) throws") { lines in
            lines.add("var json = try JSON(encoding: additional)")
            for member in structure.members {
                let key = SwiftText.literal(member.key)
                if member.isOptional, !member.isRequired {
                    lines.add(
                        "json[\(key)] = try self.\(member.name).map { try JSON(encoding: $0) }"
                    )
                } else {
                    lines.add("json[\(key)] = try JSON(encoding: self.\(member.name))")
                }
            }
            lines.add("try json.encode(to: encoder)")
        }
    }

    /// An optional as it is written before `.self`.
    private static func decoded(_ type: String) -> String {
        type.hasSuffix("?") ? "Optional<\(type.dropLast())>" : type
    }
}

extension Member {
    /// Whether it is encoded as null if it has no value.
    fileprivate var encodesNull: Bool { isRequired && type.isNullable && !isChange }
}
