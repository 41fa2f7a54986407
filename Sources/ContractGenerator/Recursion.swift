/// Finds types that contain themselves, which need memory of their own.
enum Recursion {
    /// Marks the members and unions through which a type contains itself.
    static func resolve(_ declarations: inout [Declaration]) {
        let parts = Dictionary(
            declarations.map { ($0.name, $0.parts) },
            uniquingKeysWith: { first, _ in first }
        )
        let unions = Set(
            declarations.compactMap { if case .union(let union) = $0 { union.name } else { nil } }
        )
        // A union on the way is in memory of its own already.
        let structures = parts.mapValues { $0.subtracting(unions) }
            .filter { !unions.contains($0.key) }
        for index in declarations.indices {
            switch declarations[index] {
            case .enumeration: break
            case .union(var union):
                union.isIndirect = reached(from: union.name, in: parts).contains(union.name)
                declarations[index] = .union(union)
            case .structure(var structure):
                for member in structure.members.indices {
                    let type = structure.members[member].type.text
                    structure.members[member].isBoxed =
                        structures[type] != nil
                        && (type == structure.name
                            || reached(from: type, in: structures).contains(structure.name))
                }
                declarations[index] = .structure(structure)
            }
        }
    }

    /// The types that a type contains, directly or through others.
    private static func reached(
        from name: String,
        in parts: [String: Set<String>]
    ) -> Set<String> {
        var reached: Set<String> = []
        var rest = Array(parts[name] ?? [])
        while let next = rest.popLast() {
            if reached.insert(next).inserted { rest += parts[next] ?? [] }
        }
        return reached
    }
}

extension Declaration {
    /// The names of types that values of this one contain in place.
    fileprivate var parts: Set<String> {
        switch self {
        case .structure(let structure): Set(structure.members.map(\.type.text))
        case .enumeration: []
        case .union(let union): Set(union.variants.map(\.type.text))
        }
    }
}
