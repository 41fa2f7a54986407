import PlugHTTP
import Plugboard
import Testing

@testable import PlugboardCommand

@Suite("The options for HTTPS")
struct TLSOptionsTests {
    private let pair = ["--tls-cert", "a.pem", "--tls-key", "a.key"]

    @Test("without them the server's own setting applies")
    func none() throws {
        #expect(try configuration([]).tls == nil)
        var own = Server.Configuration()
        own.tls = Server.Configuration.TLS(.development)
        #expect(try configuration([], into: own).tls != nil)
        #expect(try configuration(["--no-dev-tls"]).tls == nil)
    }

    @Test("certificates and keys are paired in their order")
    func pairs() throws {
        let tls = try configuration(pair + ["--tls-cert", "b.pem", "--tls-key", "b.key"]).tls
        #expect(tls?.identities.count == 2)
        #expect(tls?.clients == Server.Configuration.TLS.ClientCertificates.none)
    }

    @Test("a client certificate is required unless it is only requested")
    func clients() throws {
        let required = try configuration(pair + ["--tls-client-ca", "ca.pem"]).tls
        #expect(required?.clients == .require(authorities: "ca.pem", revocations: nil))
        let requested = try configuration(
            pair + [
                "--tls-client-ca", "ca.pem", "--tls-client-crl", "crl.pem",
                "--tls-client-certificates", "request",
            ]
        ).tls
        #expect(requested?.clients == .request(authorities: "ca.pem", revocations: "crl.pem"))
    }

    @Test("scopes follow the last equals sign, since subjects contain equals signs, too")
    func scopes() throws {
        let arguments = [
            "--tls-client-ca", "ca.pem", "--tls-client-scope", "CN=ada,O=x=read write",
            "--tls-client-scope", "CN=ada,O=x=admin",
        ]
        let tls = try configuration(pair + arguments).tls
        #expect(
            tls?.clientScopes == [
                "CN=ada,O=x": Scopes(["read", "write"]), "CN=ada,O=x": .admin,
            ]
        )
    }

    @Test(
        "options that need or exclude other options are rejected",
        arguments: [
            (["--tls-cert", "a"], "--tls-cert: needs --tls-key, too"),
            (["--tls-key", "a"], "--tls-key: needs --tls-cert, too"),
            (
                ["--tls-cert", "a", "--tls-cert", "b", "--tls-key", "c"],
                "--tls-cert: 2 certificates need as many keys, not 1"
            ),
            (
                ["--tls-cert", "a", "--dev-tls"],
                "--dev-tls: makes its own certificate: leave --tls-cert out"
            ),
            (["--tls-client-ca", "a"], "--tls-client-ca: needs --tls-cert and --tls-key"),
            (["--tls-client-crl", "a"], "--tls-client-crl: needs --tls-client-ca"),
            (
                ["--tls-client-certificates", "require"],
                "--tls-client-certificates: needs --tls-client-ca"
            ),
            (["--tls-client-scope", "a=b"], "--tls-client-scope: needs --tls-client-ca"),
            (
                ["--dev-tls", "--tls-client-ca", "a", "--tls-client-scope", "=b"],
                "--tls-client-scope: expected a name, = and scopes, not \"=b\""
            ),
            (
                ["--dev-tls", "--tls-client-ca", "a", "--tls-client-certificates", "maybe"],
                "--tls-client-certificates: expected \"request\" or \"require\", not \"maybe\""
            ),
        ]
    )
    func rejected(arguments: [String], problem: String) throws {
        #expect(try problems(arguments) == [problem])
    }
}
