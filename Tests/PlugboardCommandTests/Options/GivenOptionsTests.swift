import Testing

@testable import PlugboardCommand

@Suite("A section's options on the command line")
struct GivenOptionsTests {
    @Test("texts are returned by name, a flag's text is true or false")
    func texts() throws {
        #expect(try GivenOptions<TLSOptions>.parse([]).texts.isEmpty)
        let tls = try GivenOptions<TLSOptions>.parse([
            "--tls-cert=a", "--tls-cert", "b", "--tls-client-ca", "c", "--dev-tls",
        ])
        #expect(
            tls.texts == ["tls-cert": ["a", "b"], "tls-client-ca": ["c"], "dev-tls": ["true"]]
        )
    }

    @Test("the last of a flag and its opposite applies")
    func opposite() throws {
        let off = try GivenOptions<TLSOptions>.parse(["--dev-tls", "--no-dev-tls"])
        #expect(off.texts == ["dev-tls": ["false"]])
    }

    @Test(
        "invalid command lines are errors",
        arguments: [
            ["--tls-cert"], ["--port", "1"], ["extra"], ["--dev-tls=perhaps"],
        ]
    )
    func invalid(arguments: [String]) {
        #expect(throws: (any Error).self) { try GivenOptions<TLSOptions>.parse(arguments) }
    }
}
