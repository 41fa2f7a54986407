import Plugboard
import Testing

@testable import PlugboardCommand

@Suite("The options for addresses, folders and documents")
struct GeneralOptionsTests {
    @Test("two stores for documents are an error")
    func documents() throws {
        let problem = "--behaviors-folder: the documents are stored in --database already"
        #expect(
            try problems(["--database", "postgres://h/d", "--behaviors-folder", "f"]) == [problem]
        )
        guard case .folder("f") = try configuration(["--behaviors-folder", "f"]).documents else {
            Issue.record("not the folder")
            return
        }
    }

    @Test("the server creates tables, unless the command migrate does")
    func migrate() throws {
        #expect(try configuration([]).migratesDatabase)
        #expect(try configuration(["--migrate"]).migratesDatabase)
        #expect(try !configuration(["--no-migrate"]).migratesDatabase)
    }

    @Test(
        "an invalid database URL is an error that doesn't repeat it",
        arguments: ["mysql://a:s3cret@b/c", "s3cret", " "]
    )
    func database(text: String) throws {
        #expect(
            try problems(["--database=\(text)"])
                == ["--database: expected postgres://user:password@host/name"]
        )
    }

    @Test("a named data folder isn't replaced, even if it is unusable")
    func data() throws {
        var own = Server.Configuration()
        own.dataFolder = "/dev/null/data"
        #expect(try configuration([], into: own).dataFolder == "/dev/null/data")
        #expect(try configuration(["--data", "/dev/null/data"]).dataFolder == "/dev/null/data")
    }
}
