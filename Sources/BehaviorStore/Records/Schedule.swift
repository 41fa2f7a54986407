import JSONCodec

/// A revision that goes live at a given time.
package struct Schedule: Sendable, Equatable {
    /// Its number, unique in the store.
    package var id: Int
    /// The document.
    package var key: DocumentKey
    /// The revision, the time and the author.
    package var plan: Plan

    /// The stored part of a schedule.
    package struct Plan: Codable, Sendable, Equatable {
        /// The revision's number: a draft, or a revision that was live before.
        package var revision: Int
        /// The time, in seconds since 1970.
        package var at: Int
        /// The author: an ``Author``'s number.
        package var by: String
        /// The author's name.
        package var name: String
        /// The author's client certificate; nil if another credential identified the author.
        package var certificate: AuthorCertificate?
    }

    init?(_ record: StoredRecord) {
        guard let key = DocumentKey(record.key.name, in: record.key.environment),
            let id = Int(record.key.item),
            let plan = try? JSON.decode(Plan.self, from: record.value.utf8)
        else { return nil }
        self.init(id: id, key: key, plan: plan)
    }

    init(id: Int, key: DocumentKey, plan: Plan) {
        self.id = id
        self.key = key
        self.plan = plan
    }

    /// The author's address in the rows of scheduled changes.
    static let address = "schedule"

    /// The message of a revision that rolls back to an earlier one.
    static func message(backTo number: Int) -> String { "Back to revision \(number)" }

    /// Returns the content of the row that ends the schedule.
    func audited() throws -> JSON {
        var json = try JSON(encoding: plan)
        json["schedule"] = .number(JSON.Number(id))
        return json
    }
}
