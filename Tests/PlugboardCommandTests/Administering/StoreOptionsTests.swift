import Testing

@testable import PlugboardCommand

@Suite("The options for a document store")
struct StoreOptionsTests {
    @Test("each option selects its store")
    func places() throws {
        guard case .data("d") = try StoreOptions.parse(["--data", "d"]).place(),
            case .documents(.folder("f")) = try StoreOptions.parse(["--behaviors-folder", "f"])
                .place(),
            case .documents(.postgreSQL("postgres://h/d")) = try StoreOptions.parse([
                "--database", "postgres://h/d",
            ]).place()
        else {
            Issue.record("another place")
            return
        }
    }

    @Test("two stores are an error")
    func several() throws {
        let options = try StoreOptions.parse(["--data", "d", "--behaviors-folder", "f"])
        #expect(throws: (any Error).self) { try options.place() }
    }

    @Test("a missing folder is an error if the store must exist")
    func missing() throws {
        for arguments in [["--data", "/nowhere/d"], ["--behaviors-folder", "/nowhere/f"]] {
            let options = try StoreOptions.parse(arguments)
            let error = #expect(throws: Failure.self) { try options.open(mustExist: true) }
            #expect(error?.description.hasPrefix("there is no /nowhere/") == true)
        }
    }

    @Test("the options are those of serve, with the same help")
    func help() {
        let help = StoreOptions.helpMessage(columns: 400)
        for option in [
            GeneralOptions.data, GeneralOptions.database, GeneralOptions.behaviorsFolder,
        ] {
            #expect(help.contains(option.flag) && help.contains(option.summary))
        }
    }
}
