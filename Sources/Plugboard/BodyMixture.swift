import HTTPSyntax
import JSONCodec
import PlugHTTP

/// How an action's input comes from a query beside a body.
final class BodyMixture: Sendable {
    /// The member that is the whole body; nil where the body has members.
    private let wholeBody: String?
    /// The media types that a whole body may have, in small letters; none where it is JSON, which
    /// needn't be said.
    private let types: [[UInt8]]
    private let route: ActionRoute
    /// Whether what isn't to come from a query is refused there.
    private let isExact: Bool

    private static let usual = "application/json"

    /// Nil for an action that has either.
    init?(_ route: ActionRoute, isExact: Bool) {
        guard route.hasBody, route.hasQuery || isExact else { return nil }
        self.isExact = isExact
        wholeBody = route.wholeBody
        let types = route.bodyTypes == [Self.usual] ? [] : route.bodyTypes
        self.types = types.map { Array($0.utf8) }
        self.route = route
    }

    /// Whether the body is a text, and neither an object of members nor a form.
    var isWhole: Bool { wholeBody != nil }

    /// Whether a body has to say of which media type it is.
    var isTyped: Bool { !types.isEmpty }

    /// Whether a whole body may be of a media type.
    func takes(_ type: ByteSpan) -> Bool {
        guard isTyped else { return MediaType(type).isJSON }
        let essence = MediaType(type).essence
        return types.contains { name in
            name.withUnsafeBufferPointer { essence.equals(ignoringCase: $0) }
        }
    }

    /// The members in a query: what is to come from elsewhere isn't looked at, unless it is refused.
    func members(of query: ByteSpan) throws -> [TextMember] {
        let members = try Query.members(of: query)
        if isExact {
            // Beside a whole body they are checked with all that the input has.
            if wholeBody == nil { try ExactMembers.check(members, among: route.queried) }
            return members
        }
        return members.filter { member in
            route.isQueried(member.name) && route.fields[member.name] == nil
        }
    }

    /// What is said of bytes that are no text: where, if they are JSON but for that.
    private static func noText(_ body: ByteSpan) -> Problem {
        do {
            _ = try JSON(parsing: body)
        } catch  where error.message.contains("UTF-8") {
            return Problem(for: error)
        } catch {}
        return .badRequest("the body is no UTF-8")
    }

    /// The member that is the body; nil where the body has members.
    ///
    /// - Throws: a `400` for what is no text.
    func member(of body: ByteSpan) throws(Problem) -> TextMember? {
        guard let wholeBody else { return nil }
        guard !body.isEmpty else {
            return TextMember(name: wholeBody, text: "", origin: .absentField)
        }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Self.noText(body)
        }
        return TextMember(name: wholeBody, text: text, origin: .field)
    }
}
