import HTTPSyntax
import JSONCodec
import PlugHTTP

/// Combines the query and the body into an action's input.
final class CombinedInput: Sendable {
    /// The member that contains the whole body; nil if the body has members.
    private let wholeBody: String?
    /// The allowed media types of a whole body, in lower case; empty for JSON, where `Content-Type`
    /// is optional.
    private let types: [[UInt8]]
    private let route: ActionRoute
    /// Whether unknown members in the query are rejected.
    private let isExact: Bool

    private static let usual = "application/json"

    /// Nil for an action whose input comes from only one of the two.
    init?(_ route: ActionRoute, isExact: Bool) {
        guard route.hasBody, route.hasQuery || isExact else { return nil }
        self.isExact = isExact
        wholeBody = route.wholeBody
        let types = route.bodyTypes == [Self.usual] ? [] : route.bodyTypes
        self.types = types.map { Array($0.utf8) }
        self.route = route
    }

    /// Whether the body is one text, rather than a JSON object or a form.
    var isWhole: Bool { wholeBody != nil }

    /// Whether the request must have a `Content-Type`.
    var isTyped: Bool { !types.isEmpty }

    /// Whether a whole body may have this media type.
    func takes(_ type: ByteSpan) -> Bool {
        guard isTyped else { return MediaType(type).isJSON }
        let essence = MediaType(type).essence
        return types.contains { name in
            name.withUnsafeBufferPointer { essence.equals(ignoringCase: $0) }
        }
    }

    /// Returns the members in a query; unknown ones are ignored, or rejected if the input is exact.
    func members(of query: ByteSpan) throws -> [TextMember] {
        let members = try Query.members(of: query)
        if isExact {
            // With a whole body, all members are checked together later.
            if wholeBody == nil { try check(members) }
            return members
        }
        return members.filter { member in
            // `patch[op]` is a part of `patch`.
            let name = String(member.name.unicodeScalars.prefix { $0 != "[" })
            return route.isQueried(name) && route.fields[name] == nil
        }
    }

    /// Rejects a query's members other than the declared ones: the others are in the body.
    private func check(_ members: [TextMember]) throws(Problem) {
        // `near[city]` is a part of `near`.
        let names = members.map { String($0.name.unicodeScalars.prefix { $0 != "[" }) }
        let errors = names.filter { name in
            !route.queried.contains { $0.utf8.elementsEqual(name.utf8) }
        }.map { name in
            JSONTypeError(
                pointer: "/" + JSONPointer.escaped(name),
                message: unknownMember(name, known: route.queried)
            )
        }
        guard errors.isEmpty else { throw Problem(invalid: JSONTypeErrors(errors)) }
    }

    /// Returns the error for a body that isn't UTF-8, with the position if the body is JSON
    /// otherwise.
    private static func noText(_ body: ByteSpan) -> Problem {
        do {
            _ = try JSON(parsing: body)
        } catch  where error.message.contains("UTF-8") {
            return Problem(for: error)
        } catch {}
        return .badRequest("the body isn't UTF-8")
    }

    /// Returns the member that contains the body; nil if the body has members.
    ///
    /// - Throws: a `400` for a body that isn't UTF-8.
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
