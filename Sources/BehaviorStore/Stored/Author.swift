/// The author of a change and their address.
package struct Author: Codable, Sendable, Equatable {
    /// The stable identifier: a token's number.
    package var id: String
    /// The author's display name; may be empty.
    package var name: String
    /// The client's address; empty if the change wasn't made by a request.
    package var address: String

    package init(id: String, name: String = "", address: String = "") {
        self.id = id
        self.name = name
        self.address = address
    }

    /// The name, else the number.
    var shown: String { name.isEmpty ? id : name }

    /// The author of edits: a file doesn't record a person.
    package static let editor = Author(id: "file")
}
