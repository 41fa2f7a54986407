import Foundation
import Plug
import PlugHTTP
import Storage
import TestCertificates
import TestLog
import Testing

@testable import Plugboard

@Suite("Stores, certificates and rate limits on the metrics page")
struct ServerMetricsStoresTests {
    @Test("a data folder that is moved away is down, and up again when it is back")
    func data() async throws {
        let place = try BehaviorsPlace()
        _ = try await place.fields()
        try await serving(operated(place.server())) { site in
            let up = #"plugboard_store_up{store="data"}"#
            #expect(try await site.metric(up) == 1)
            #expect(try await site.metric(#"plugboard_store_up{store="documents"}"#) == 1)
            try FileManager.default.moveItem(
                atPath: place.folder["data"],
                toPath: place.folder["away"]
            )
            #expect(try await site.metric(up) == 0)
            try FileManager.default.moveItem(
                atPath: place.folder["away"],
                toPath: place.folder["data"]
            )
            #expect(try await site.metric(up) == 1)
        }
    }

    @Test("without a store, a database or TLS the page has no such series")
    func absent() async throws {
        try await serving(operated(Server())) { site in
            let page = try await site.operations("/metrics").text
            for name in [
                "plugboard_store_up", "plugboard_postgresql", "plugboard_tls",
                "plugboard_behavior", "plugboard_rate_limit", "plugboard_plug",
            ] { #expect(!page.contains(name), "\(name)") }
        }
    }

    @Test("each certificate has the time of its end, also two of one name")
    func certificates() async throws {
        let folder = try TemporaryFolder()
        let identities = try [false, true].enumerated().map { index, isRSA in
            let certificate = try TestCertificate(
                "a",
                isRSA: isRSA,
                names: "DNS:a.example",
                seconds: -60...(86_400 * (index + 1))
            )
            let (file, key) = ("cert\(index)", "key\(index)")
            return Server.Configuration.TLS.Identity.files(
                certificate: try folder.write(file, certificate.certificateText),
                key: try folder.write(key, certificate.keyText)
            )
        }
        var server = Server(logger: Journal().logger)
        var tls = Server.Configuration.TLS()
        tls.identities = identities
        server.configuration.tls = tls
        try await serving(operated(server)) { site in
            for (index, days) in [(0, 1.0), (1, 2.0)] {
                let name = "plugboard_tls_certificate_expiry_timestamp_seconds"
                let labels = #"{certificate="a.example",index="\#(index)"}"#
                let end = try await site.metric(name + labels)
                let expected = Date.now.timeIntervalSince1970 + days * 86_400
                #expect(end.map { abs($0 - expected) < 600 } == true)
            }
        }
    }

    @Test("rejections are counted by route from 0 on; other routes have no series")
    func rejections() async throws {
        Search.self <~ { "found" }
        Free.self <~ { "free" }
        let server = Server {
            Search.self
            Free.self
        }
        try await serving(operated(server)) { site in
            let name = "plugboard_rate_limit_rejections_total"
            let rejected = name + #"{method="GET",route="/search"}"#
            #expect(try await site.metric(rejected) == 0)
            var statuses: [UInt16] = []
            for _ in 0..<5 { statuses.append(UInt16(try await site.get("/search").status)) }
            #expect(statuses == [200, 200, 429, 429, 429])
            _ = try await site.get("/free")
            #expect(try await site.metric(rejected) == 3)
            #expect(try await site.metric(name + #"{method="GET",route="/free"}"#) == nil)
        }
    }
}

private class Search: Action<Void, String>, GET, RateLimited {
    static var path: String { "/search" }
    static var rateLimit: RateLimit { RateLimit(2, seconds: 3600) }
}
private class Free: Action<Void, String>, GET { static var path: String { "/free" } }
