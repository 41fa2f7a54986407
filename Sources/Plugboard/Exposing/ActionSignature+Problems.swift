import JSONCodec
import PlugHTTP

extension ActionSignature {
    /// The errors of the problems that the action declares.
    var declaredProblems: [String] {
        (endpoint?.problems ?? []).flatMap { problems(of: $0) }
    }

    private func problems<P: DeclaredProblem>(of type: P.Type) -> [String] {
        let finder = ShapeFinder(isForSchema: false)
        let shape = finder.shape(of: type)
        let names = finder.shapes.members(of: shape)?.map(\.name) ?? []
        // The author's `detail` is RFC 9457's.
        let taken = names.filter { $0 != "detail" && Problem.memberNames.contains($0) }
        return finder.shapes.problems.map { "\(action.name): \($0)" }
            + taken.map { name in
                "\(action.name)'s problem \(type) stores \(name), which RFC 9457 defines. Rename it"
            }
    }
}
