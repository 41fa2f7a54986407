import JSONCodec

/// What a row of the audit says of a revision.
struct AuditedRevision: Codable, Equatable {
    var revision: Int
    var digest: String
    var live: Bool
    var message: String?
    /// The schedule that is over with it.
    var schedule: Int?
    /// Of a draft that is made of another revision: who made parts of that beside the draft's author; nil
    /// where it was put whole.
    var makers: [Contributor]?
    /// What it is made of; nil where it was put whole, or promoted as it was.
    var basis: RevisionBasis?
    /// Where it comes from; nil where it wasn't promoted.
    var origin: AuditedOrigin?

    init(_ info: RevisionInfo, isLive: Bool) {
        revision = info.number
        digest = info.digest
        live = isLive
        message = info.message.isEmpty ? nil : info.message
    }

    var json: JSON { json(from: nil) }

    /// With where it comes from, and all that was laid over it.
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
