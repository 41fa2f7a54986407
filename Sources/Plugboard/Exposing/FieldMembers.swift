import HTTPSyntax
import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP

/// The members of an input that come from header fields.
///
/// They have no other source: members of the same name in the query or the body are ignored.
///
/// A list member contains the values of all the field's lines (RFC 9110 §5.3, §5.6.1).
struct FieldMembers: Sendable {
    private let fields: [(member: String, field: String)]
    private let input: InputDescription

    /// The members with those names and fields; nil for none.
    init?(_ fields: [String: HTTPField.Name], of input: InputDescription) {
        guard !fields.isEmpty else { return nil }
        self.input = input
        self.fields = fields.map { ($0.key, $0.value.canonicalName) }
            .sorted { $0.member < $1.member }
    }

    /// A request's members.
    func members(of head: RequestHead) -> [TextMember] {
        fields.flatMap { member, field in
            let lines = head.lines(of: field)
            // The lookup whether the member is a list runs only if the result matters.
            var texts =
                lines.contains(where: \.mayBeList) && isList(member)
                ? lines.flatMap(\.listMembers) : lines.map(\.text)
            if texts.count > 1, Self.lists.contains(field), !isList(member) {
                texts = [texts.joined(separator: ", ")]
            }
            guard !texts.isEmpty else {
                guard lines.isEmpty else {
                    return [TextMember(name: member, text: "", origin: .emptyList)]
                }
                return [TextMember(name: member, text: "", origin: .absentField)]
            }
            return texts.map { TextMember(name: member, text: $0, origin: .field) }
        }
    }

    /// The fields whose lines always form one list, even if the member is a text.
    private static let lists: Set = ["if-match", "if-none-match"]

    private func isList(_ member: String) -> Bool {
        guard case .value(let contract) = input else { return false }
        let shapes = contract.content.shapes
        let members = shapes.members(of: contract.content.shape)
        guard let shape = members?.first(where: { $0.name == member })?.shape,
            case .array = shapes.resolved(shape).form
        else { return false }
        return true
    }

    var names: [String] { fields.map(\.member) }

    /// The fields that select the response (RFC 9110 §12.5.5); conditions don't.
    var choosing: [String] { fields.map(\.field).filter { !Self.lists.contains($0) } }
}

extension RequestHead {
    /// The values of a field's lines; the name is in lower case.
    func lines(of name: String) -> [ByteSpan] {
        fields.filter { $0.name.equals(lowercased: name) }.map(\.value)
    }
}

extension ByteSpan {
    /// Whether it may be anything but a single plain list member.
    fileprivate var mayBeList: Bool { isEmpty || contains(0x2C) || contains(0x22) }

    /// The members of a list; quoted ones without their quotes (RFC 9110 §5.6.4).
    fileprivate var listMembers: [String] {
        var members: [String] = []
        forEachListMember { member in
            members.append(member.unquoted)
            return true
        }
        return members
    }

    private var unquoted: String {
        guard count >= 2, self[0] == 0x22, self[count - 1] == 0x22 else { return text }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in slice(1, count - 1) {
            isEscaped = !isEscaped && byte == 0x5C
            if !isEscaped { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate func equals(lowercased name: String) -> Bool {
        count == name.utf8.count
            && zip(self, name.utf8).allSatisfy { byte, letter in
                byte == letter || byte &- 0x41 < 26 && byte | 0x20 == letter
            }
    }
}
