package import PostgreSQL

extension PostgreSQLConfiguration {
    /// Timeouts for a machine that is busy with other tests: statements that wait for it don't fail.
    package static var patient: Self {
        var configuration = Self()
        configuration.placeTimeout = .seconds(120)
        configuration.statementTimeout = .seconds(120)
        configuration.connectTimeout = .seconds(60)
        configuration.minimumPause = .milliseconds(10)
        return configuration
    }
}
