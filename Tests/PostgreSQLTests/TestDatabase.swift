import Glibc
import Testing

@testable import PostgreSQL

/// The PostgreSQL that `Tests/run` has started for the tests.
enum TestDatabase {
    /// Its address, with a password; nil where there is none.
    static let url: String? = getenv("PLUGBOARD_TEST_DATABASE").map { String(cString: $0) }

    /// Its address, where the tests run that want one only.
    static func address(_ parameters: String = "") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(#require(url) + parameters)
    }

    /// Timeouts for a machine that is busy with other tests.
    static var patient: PostgreSQLConfiguration {
        var configuration = PostgreSQLConfiguration()
        configuration.placeTimeout = .seconds(120)
        configuration.statementTimeout = .seconds(120)
        return configuration
    }

    /// A client of it.
    static func client(
        _ configuration: PostgreSQLConfiguration = patient,
        _ parameters: String = ""
    ) throws -> PostgreSQLClient {
        try PostgreSQLClient(address(parameters), configuration)
    }
}

extension Trait where Self == ConditionTrait {
    /// Only with a PostgreSQL.
    static var withDatabase: Self {
        .enabled(
            if: TestDatabase.url != nil,
            "Tests/run starts a PostgreSQL, where one is installed"
        )
    }
}
