import HTTPCodec
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The members of an input that come from header fields.
///
/// What its action declares so comes from nowhere else: a member of that name in the query or the
/// body isn't looked at.
struct FieldMembers: Sendable {
    private let fields: [(member: String, field: String)]

    /// Nil where an action has none.
    init?(of action: any ActionProtocol.Type) {
        guard let fields = (action as? any Endpoint.Type)?.fields, !fields.isEmpty else {
            return nil
        }
        self.fields = fields.map { ($0.key, $0.value.canonicalName) }
            .sorted { $0.member < $1.member }
    }

    /// A request's members.
    func members(of head: RequestHead) -> [TextMember] {
        fields.flatMap { member, field in
            let lines = head.values(of: field)
            guard !lines.isEmpty else {
                return [TextMember(name: member, text: "", origin: .absentField)]
            }
            return lines.map { TextMember(name: member, text: $0, origin: .field) }
        }
    }

    var names: [String] { fields.map(\.member) }
}

extension RequestHead {
    /// The values of a field's lines, of a name in lower case.
    fileprivate func values(of name: String) -> [String] {
        fields.filter { $0.name.equals(lowercased: name) }.map(\.value.text)
    }
}

extension ByteSpan {
    fileprivate func equals(lowercased name: String) -> Bool {
        count == name.utf8.count
            && zip(self, name.utf8).allSatisfy { byte, letter in
                byte == letter || byte &- 0x41 < 26 && byte | 0x20 == letter
            }
    }
}
