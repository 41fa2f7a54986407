import Testing

@testable import PostgreSQL

@Suite("PostgreSQL notifications", .withDatabase)
struct PostgreSQLClientNotificationsTests {
    @Test("notifications arrive, also after a lost connection")
    func notifications() async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.heartbeat = .milliseconds(20)
        configuration.minimumPause = .milliseconds(10)
        let client = try TestDatabase.client(configuration, "&application_name=listens")
        let other = try TestDatabase.client()
        var heard = try client.notifications(on: "plugboard_test").makeAsyncIterator()
        for round in 1...3 {
            #expect(await heard.next() == .listening)
            try await other.run("SELECT pg_notify('plugboard_test', \("round \(round)"))")
            #expect(await heard.next() == .notified("round \(round)"))
            try await other.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'listens'
                """
            )
            guard case .lost = await heard.next() else {
                Issue.record("the loss isn't told")
                return
            }
        }
    }

    @Test("an invalid channel name is rejected", arguments: ["", "a b", "a\"; --", "Ä"])
    func channels(_ name: String) throws {
        let client = try TestDatabase.client()
        #expect(throws: PostgreSQLError.self) { try client.notifications(on: name) }
    }
}
