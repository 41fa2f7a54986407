import Plugboard
import Testing

@testable import PlugboardCommand

@Suite("The options for metrics and logs")
struct OperationsOptionsTests {
    @Test("the default operations port is optional, a port that is set is mandatory")
    func port() throws {
        let standard = try configuration([]).operations
        #expect(standard?.port == 9464 && standard?.isOptional == true)
        #expect(standard?.host == "127.0.0.1")
        let given = try configuration(["--metrics-port", "9464"]).operations
        #expect(given?.port == 9464 && given?.isOptional == false)
        let host = try configuration(["--metrics-host", "0.0.0.0"]).operations
        #expect(host?.host == "0.0.0.0" && host?.isOptional == true)
    }

    @Test("off disables the operations port, even if the server configures one")
    func off() throws {
        var own = Server.Configuration()
        own.operations = .init()
        #expect(try configuration(["--metrics-port", "off"], into: own).operations == nil)
    }

    @Test("an access log replaces the server's own only if the option is set")
    func accessLog() throws {
        #expect(try !logs([]).setsAccessLog)
        let off = try logs(["--access-log", "off"])
        #expect(off.setsAccessLog && off.share.every == 0)
        #expect(try logs(["--access-log", "all"]).share.every == 1)
        #expect(try logs(["--access-log", "1/100"]).share.every == 100)
    }

    @Test("a share's description is its text", arguments: ["off", "all", "1/7"])
    func share(text: String) {
        #expect(AccessShare(text)?.description == text)
    }

    @Test(
        "an invalid share, level, format or port is rejected",
        arguments: [
            ["--access-log", "1/0"], ["--access-log", "2/3"], ["--access-log", "some"],
            ["--log-level", "loud"], ["--log-format", "xml"], ["--metrics-port", "70000"],
            ["--metrics-port", "on"],
        ]
    )
    func invalid(arguments: [String]) throws {
        let problems = try problems(arguments)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(arguments[0]): expected ") == true)
        #expect(problems.first?.hasSuffix(", not \"\(arguments[1])\"") == true)
    }
}
