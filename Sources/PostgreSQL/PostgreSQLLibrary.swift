import CPostgreSQL
import Locking

/// libpq, loaded when the first database is asked for, and never before.
///
/// A start without a PostgreSQL neither finds nor maps it, nor the dozen libraries behind it.
///
/// `@unchecked Sendable`: the functions of a table that is never changed, which libpq lets any thread
/// call, one at a time for a connection.
struct PostgreSQLLibrary: @unchecked Sendable {
    /// The name that libpq has had since 2006: within it, functions only come along.
    static let fileName = "libpq.so.5"

    let functions: CPostgreSQLFunctions

    private static let loaded = Locked<PostgreSQLLibrary?>(nil)

    /// The library; throws where it isn't installed, or lacks something.
    static func load(_ name: String = fileName) throws(PostgreSQLError) -> PostgreSQLLibrary {
        if name == fileName, let library = loaded.withLock({ $0 }) { return library }
        var functions = CPostgreSQLFunctions()
        if let reason = cpostgresql_load(name, &functions) {
            throw PostgreSQLError(
                .missingLibrary,
                "\(name) is missing, which Debian's package libpq5 brings: "
                    + String(cString: reason)
            )
        }
        let library = PostgreSQLLibrary(functions: functions)
        if name == fileName { loaded.withLock { $0 = library } }
        return library
    }
}
