import CPostgreSQL
import Locking

/// libpq, loaded with the first use of a database.
///
/// A server without PostgreSQL neither needs nor maps libpq and its dozen dependencies.
///
/// `@unchecked Sendable` is safe: the table of functions is constant. libpq allows calls from any
/// thread, one at a time per connection.
struct PostgreSQLLibrary: @unchecked Sendable {
    /// libpq's name since 2006; with this version number, functions are only added.
    static let fileName = "libpq.so.5"

    let functions: CPostgreSQLFunctions

    private static let loaded = Locked<PostgreSQLLibrary?>(nil)

    /// Loads the library; throws if it isn't installed or lacks a function.
    static func load(_ name: String = fileName) throws(PostgreSQLError) -> PostgreSQLLibrary {
        if name == fileName, let library = loaded.withLock({ $0 }) { return library }
        var functions = CPostgreSQLFunctions()
        if let reason = cpostgresql_load(name, &functions) {
            throw PostgreSQLError(
                .missingLibrary,
                "\(name) can't be loaded. Install Debian's package libpq5: "
                    + String(cString: reason)
            )
        }
        let library = PostgreSQLLibrary(functions: functions)
        if name == fileName { loaded.withLock { $0 = library } }
        return library
    }
}
