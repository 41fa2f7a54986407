/// Who changes something, and from where.
package struct Author: Sendable, Equatable {
    /// What tells one from others, the same each time: a token's number.
    package var id: String
    /// The name that people have given them; may be empty.
    package var name: String
    /// The address that the request came from; empty where it came from none.
    package var address: String

    package init(id: String, name: String = "", address: String = "") {
        self.id = id
        self.name = name
        self.address = address
    }
}
