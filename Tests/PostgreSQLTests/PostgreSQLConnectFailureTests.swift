import Testing

@testable import PostgreSQL

/// The errors of attempts to connect, from libpq's verbose messages.
@Suite("Errors of a connection that can't be opened")
struct PostgreSQLConnectFailureTests {
    private static let socket = #"connection to server on socket "/tmp/.s.PGSQL.5432" failed: "#

    @Test(
        "a rejected login is denied, and its message has no SQLSTATE",
        arguments: [
            ("28P01", #"password authentication failed for user "ada""#),
            ("28000", "no pg_hba.conf entry for host, no encryption"),
            ("3D000", #"database "app" does not exist"#),
            ("42501", #"permission denied for database "app""#),
        ]
    )
    func login(_ state: String, _ reason: String) {
        let error = PostgreSQLError(
            connecting: Self.socket
                + "FATAL:  \(state): \(reason)\nLOCATION:  auth_failed, auth.c:321\n"
        )
        #expect(error.kind == .denied)
        #expect(error.state == state)
        #expect(error.message == Self.socket + "FATAL: \(reason)")
    }

    @Test(
        "a server that starts, stops or is full is unavailable",
        arguments: ["57P03", "53300", "57P01"]
    )
    func passing(_ state: String) {
        let error = PostgreSQLError(connecting: Self.socket + "FATAL:  \(state): wait\n")
        #expect(error.kind == .unavailable)
        #expect(error.state == state)
    }

    @Test(
        "TLS that the client rejects is denied",
        arguments: [
            #"root certificate file "none.pem" does not exist"#,
            "SSL error: certificate verify failed",
            "server does not support SSL, but SSL was required",
            #"private key file "key.pem" has group or world access"#,
        ]
    )
    func tls(_ reason: String) {
        let error = PostgreSQLError(connecting: Self.socket + reason + "\n")
        #expect(error.kind == .denied)
        #expect(error.state == nil)
        #expect(error.message == Self.socket + reason)
    }

    @Test(
        "an unreachable server is unavailable",
        arguments: [
            "Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?",
            #"could not translate host name "db" to address: Name or service not known"#,
            "server closed the connection unexpectedly", "",
        ]
    )
    func unreachable(_ reason: String) {
        let error = PostgreSQLError(connecting: reason)
        #expect(error.kind == .unavailable)
        #expect(error.state == nil)
        #expect(!error.message.isEmpty)
    }

    @Test(
        "names of hosts and files don't decide",
        arguments: [
            #"connection to server at "certificates-db" (10.0.0.1) failed: Connection refused"#,
            #"could not translate host name "certificate.invalid" to address: Name or service not known"#,
        ]
    )
    func names(_ reason: String) {
        #expect(PostgreSQLError(connecting: reason).kind == .unavailable)
        #expect(PostgreSQLError(beginning: reason).kind == .unavailable)
    }

    @Test("an invalid parameter is a wrong address", .withDatabase)
    func parameter() async throws {
        let client = try TestDatabase.client(PostgreSQLConfiguration(), "&sslmode=bogus")
        let error = await #expect(throws: PostgreSQLError.self) { try await client.run("SELECT 1") }
        #expect(error?.kind == .wrongAddress)
        #expect(error?.message.contains("bogus") == true)
    }

    @Test("of several addresses, one that denies the login decides")
    func several() {
        let error = PostgreSQLError(
            connecting: "connection to ::1 failed: Connection refused\n"
                + "connection to 127.0.0.1 failed: FATAL:  28P01: password\nLOCATION:  x"
        )
        #expect(error.kind == .denied)
        #expect(
            error.message == "connection to ::1 failed: Connection refused; "
                + "connection to 127.0.0.1 failed: FATAL: password"
        )
    }

    @Test("a wrong password is denied, and it isn't in the message", .withDatabase)
    func password() async throws {
        let url = try #require(TestDatabase.url)
        let password = url.split(separator: ":")[2].split(separator: "@")[0]
        let address = try PostgreSQLAddress(url.replacing(password, with: "wr0ng"))
        let client = try PostgreSQLClient(address)
        let error = await #expect(throws: PostgreSQLError.self) { try await client.run("SELECT 1") }
        #expect(error?.kind == .denied)
        #expect(error?.state == "28P01")
        #expect(error?.description.contains("password authentication failed") == true)
        #expect(error?.description.contains("wr0ng") == false)
        #expect(error?.description.contains("LOCATION") == false)
    }
}
