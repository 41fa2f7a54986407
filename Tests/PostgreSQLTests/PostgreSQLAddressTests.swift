import PostgreSQL
import Testing

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
}
