package import PostgreSQL

/// The tables of a database; both databases have the same columns.
///
/// Their statements are written once, in extensions of this type.
package struct AdministrationTables: Sendable {
    /// The chained rows of all changes.
    package let audit: SQLStatement
    /// The bearer tokens, without their texts.
    package let token: SQLStatement
    /// The plans of actions.
    package let plug: SQLStatement
    /// The scopes that the last started server declared.
    package let scope: SQLStatement

    /// The tables in a data folder's file.
    package static let sqlite = AdministrationTables(
        audit: "administrationAudit",
        token: "token",
        plug: "plug",
        scope: "scope"
    )

    /// The tables in a PostgreSQL database.
    package static let postgreSQL = AdministrationTables(
        audit: "plugboard_administration",
        token: "plugboard_token",
        plug: "plugboard_plug",
        scope: "plugboard_scope"
    )
}
