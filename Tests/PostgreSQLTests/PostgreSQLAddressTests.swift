import Testing

@testable import PostgreSQL

@Suite("PostgreSQL addresses")
struct PostgreSQLAddressTests {
    @Test(
        "a description lacks the password",
        arguments: [
            ("postgres://ada:s3cret@db.example:6432/app", "postgres://ada@db.example:6432/app"),
            (
                "postgresql://ada:s3cret@db.example/app?sslmode=require",
                "postgres://ada@db.example/app"
            ),
            ("postgres://ada@db.example/app?password=s3cret", "postgres://ada@db.example/app"),
            ("postgres:///app?host=/run/postgresql&user=ada", "postgres://ada@/run/postgresql/app"),
            ("postgres://[::1]:5433,other:5434/app", "postgres://::1,other:5433,5434/app"),
            ("postgres://", "postgres://"),
        ]
    )
    func description(_ url: String, _ expected: String) throws {
        let address = try PostgreSQLAddress(url)
        #expect(address.description == expected)
        #expect(!"\(address)".contains("s3cret"))
    }

    @Test(
        "an invalid address is rejected without a part of its password",
        arguments: [
            "postgres://ada:s3cret@home@db.example/app",
            "postgres://ada:s3cret/home@db.example/app",
            "postgres://ada:s3cret?home@db.example/app",
            "postgres://ada:s3cret#home@db.example/app",
            "postgres://ada:s3cret%zz@db.example/app",
            "postgres://ada:s3cret/app",
            "postgres://ada:s3cret@db.example:s3cret/app",
            "postgres://ada:s3cret@db.example:99999/app",
            "postgres://ada:s3cret@db.example/app?passwort=s3cret",
            "mysql://ada:s3cret@db.example/app",
        ]
    )
    func refused(_ url: String) {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(url) }
        #expect(error?.kind == .wrongAddress)
        #expect(error?.description.contains("s3cret") == false)
        #expect(error?.description.contains("home") == false)
    }

    @Test("each host is an attempt with its own port")
    func hosts() throws {
        func attempts(_ url: String) throws -> [[String]] {
            try PostgreSQLAddress(url).attempts.map { $0.parameters.map { "\($0)=\($1)" } }
        }
        #expect(try attempts("postgres://db/app") == [[]])
        #expect(
            try attempts("postgres://a:1,b:2/app") == [
                ["host=a", "port=1"], ["host=b", "port=2"],
            ]
        )
        #expect(
            try attempts("postgres:///app?host=a,b&port=7&hostaddr=10.0.0.1,10.0.0.2") == [
                ["host=a", "hostaddr=10.0.0.1", "port=7"],
                ["host=b", "hostaddr=10.0.0.2", "port=7"],
            ]
        )
        // libpq rejects it with its own message.
        #expect(try attempts("postgres:///app?host=a,b&port=1,2,3") == [[]])
        // An empty port is the default one.
        #expect(
            try attempts("postgres://a,b/app?target_session_attrs=prefer-standby") == [
                ["host=a", "port=", "target_session_attrs=standby"],
                ["host=b", "port=", "target_session_attrs=standby"],
                ["host=a", "port=", "target_session_attrs=any"],
                ["host=b", "port=", "target_session_attrs=any"],
            ]
        )
    }

    @Test("connect_timeout is libpq's: at least 2 seconds, and 0 for the client's own")
    func connectTimeout() throws {
        func timeout(_ query: String) throws -> Duration? {
            try PostgreSQLAddress("postgres://db/app" + query).connectTimeout
        }
        #expect(try timeout("") == nil)
        #expect(try timeout("?connect_timeout=0") == nil)
        #expect(try timeout("?connect_timeout=1") == .seconds(2))
        #expect(try timeout("?connect_timeout=30") == .seconds(30))
        #expect(try timeout("?connect_timeout=soon") == nil)
    }
}
