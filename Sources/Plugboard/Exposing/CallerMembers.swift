import JSONCodec
import PlugHTTP

/// The members of an input that contain the caller.
///
/// The server sets them. Members of the same name in the query or the body are rejected.
struct CallerMembers: Sendable {
    let names: [String]
    /// Whether one of them is required.
    let isNeeded: Bool

    /// Nil for an input without such members.
    init?(_ input: InputDescription) {
        guard case .value(let contract) = input else { return nil }
        let content = contract.content
        let members = content.shapes.supplied(content.shape)
        guard !members.isEmpty else { return nil }
        names = members.map(\.name)
        isNeeded = members.contains(where: \.isRequired)
    }

    /// Returns placeholder members; decoding them reads the current caller.
    func members(of caller: Caller?) -> [TextMember] {
        let origin: TextMember.Origin = caller == nil ? .absentField : .field
        return names.map { TextMember(name: $0, text: "", origin: origin) }
    }
}
