import Testing

@testable import HTTPServer

@Suite("TLS configuration")
struct TLSConfigurationTests {
    private let one = TLSConfiguration.Identity.files(certificate: "a.pem", key: "a.key")
    private let other = TLSConfiguration.Identity.files(certificate: "b.pem", key: "b.key")

    @Test("watched files are those of all certificates and of the clients' authorities")
    func files() {
        let plain = TLSConfiguration(identities: [one, other])
        #expect(plain.files == ["a.pem", "a.key", "b.pem", "b.key"])
        let clients = TLSConfiguration.ClientCertificates.require(
            authorities: "ca.pem",
            revocations: "crl.pem"
        )
        let mutual = TLSConfiguration(identity: one, clients: clients)
        #expect(mutual.files == ["a.pem", "a.key", "ca.pem", "crl.pem"])
    }

    @Test("requested and required client certificates have the same authorities")
    func clients() {
        let none = TLSConfiguration.ClientCertificates.none
        #expect(none.files.isEmpty)
        #expect(none.authorities == nil)
        for clients in [
            TLSConfiguration.ClientCertificates.request(authorities: "ca.pem"),
            .require(authorities: "ca.pem"),
        ] {
            #expect(clients.authorities == "ca.pem")
            #expect(clients.revocations == nil)
            #expect(clients.files == ["ca.pem"])
        }
    }

    @Test("a development certificate has no files and isn't reloaded")
    func development() {
        let development = TLSConfiguration(identity: .development)
        #expect(development.files.isEmpty)
        #expect(!development.isReloadable)
        #expect(TLSConfiguration(identity: one).isReloadable)
        #expect(!TLSConfiguration(identities: [one, .development]).isReloadable)
    }
}
