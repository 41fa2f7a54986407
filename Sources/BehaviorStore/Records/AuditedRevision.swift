import JSONCodec

/// The content of a revision's audit row.
struct AuditedRevision: Codable, Equatable {
    var revision: Int
    var digest: String
    var live: Bool
    var message: String?
    /// The schedule that this change ends.
    var schedule: Int?
    /// The authors of a draft's base other than the draft's own author; nil if the draft was put
    /// whole.
    var makers: [Contributor]?
    /// The revision that it is made of; nil if it was put whole, or promoted unchanged.
    var basis: RevisionBasis?
    /// The origin of a promoted revision; nil for another one.
    var origin: AuditedOrigin?

    init(_ info: RevisionInfo, isLive: Bool) {
        revision = info.number
        digest = info.digest
        live = isLive
        message = info.message.isEmpty ? nil : info.message
    }

    var json: JSON { json(from: nil) }

    /// Returns the row's JSON with the promotion's origin and overrides.
    func json(from promotion: Promotion?) -> JSON {
        var members: JSON.Object = [
            "revision": .number(JSON.Number(revision)), "digest": .string(digest),
            "live": .bool(live),
        ]
        members["message"] = message.map(JSON.string)
        members["schedule"] = schedule.map { .number(JSON.Number($0)) }
        members["makers"] = makers.map { .array($0.map(\.json)) }
        members["basis"] = basis?.json
        members["origin"] = promotion?.audited
        return .object(members)
    }
}
