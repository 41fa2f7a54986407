import JSONCodec
import PlugHTTP

/// The members of an input that are whoever calls.
///
/// They come from nowhere else: a member of that name in the query or the body isn't looked at.
struct CallerMembers: Sendable {
    let names: [String]
    /// Whether one of them has to be there.
    let isNeeded: Bool

    /// Nil where an input has none.
    init?(_ input: InputDescription) {
        guard case .value(let contract) = input else { return nil }
        let content = contract.content
        let members = content.shapes.supplied(content.shape)
        guard !members.isEmpty else { return nil }
        names = members.map(\.name)
        isNeeded = members.contains(where: \.isRequired)
    }

    /// The members of a request with that caller; their decoding finds the caller itself.
    func members(of caller: Caller?) -> [TextMember] {
        let origin: TextMember.Origin = caller == nil ? .absentField : .field
        return names.map { TextMember(name: $0, text: "", origin: origin) }
    }
}
