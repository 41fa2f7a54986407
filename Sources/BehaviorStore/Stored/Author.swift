/// The author of a change and their address.
package struct Author: Codable, Sendable, Equatable {
    /// The stable identifier: a token's number.
    package var id: String
    /// The author's display name; may be empty.
    package var name: String
    /// The client's address; empty if the change wasn't made by a request.
    package var address: String
    /// The author's client certificate; nil if another credential identifies the author.
    ///
    /// Rows don't have it. Approvals and schedules store it.
    package var certificate: AuthorCertificate?

    private enum CodingKeys: String, CodingKey { case id, name, address }

    package init(
        id: String,
        name: String = "",
        address: String = "",
        certificate: AuthorCertificate? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.certificate = certificate
    }

    /// The name, else the number.
    var shown: String { name.isEmpty ? id : name }

    /// The author of edits: a file doesn't record a person.
    package static let editor = Author(id: "file")
}
