import AdministrationStore
import BehaviorStore
import Foundation
import HTTPTypes
import Identity
import JSONCodec
import Locking
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import Testing

@Suite("The audit and the archive over HTTP")
struct ArchiveActionsTests {
    private let folder: TemporaryFolder
    private static let document = "[ {\"name\":\"A\",\n\"actions\":[]} ]\n"

    init() throws { folder = try TemporaryFolder() }

    private func server(_ data: String) -> Server {
        var server = Server(behaviors: nil)
        server.configuration.dataFolder = folder[data]
        return server
    }

    private func fields(
        _ data: String,
        _ scopes: Scopes
    ) async throws -> [(String, String)] {
        let made = try await TokenStore(Storage.of(folder[data]))
            .create(name: "ada", scopes: scopes)
        return [("Authorization", "Bearer \(made.text)")]
    }

    /// Publishes a document so many times, with other messages.
    private func publish(
        _ count: Int,
        _ site: Site,
        _ fields: [(String, String)]
    ) async throws {
        for number in 1...count {
            let put = try await site.send(
                "PUT",
                "/behaviors/default?message=Number%20\(number)",
                fields: fields + [("Content-Type", "application/json")],
                body: Self.document
            )
            #expect(put.status == 201)
        }
    }

    /// A server's archive, which is sent as it is made.
    private func archive(_ site: Site, _ fields: [(String, String)]) async throws -> String {
        let client = Client(site.url, token: String(fields[0].1.dropFirst("Bearer ".count)))
        let bytes = try await client.send(ActionRoute(endpoint: ExportBehaviors.self), nil)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func rows(_ answer: Answer) throws -> [Int?] {
        try #require(JSON(parsing: answer.body).array).map { $0["row"]?.int }
    }

    @Test("audit rows have the author, the address and the states before and after, in pages")
    func audit() async throws {
        let fields = try await fields("data", ["audit:read"])
        let writer = try await self.fields("data", ["behaviors:write"])
        try await serving(server("data")) { site in
            let empty = try await site.send("GET", "/audit", fields: fields)
            #expect(empty.text == "[]")
            try await publish(5, site, writer)
            let newest = try await site.send("GET", "/audit?limit=2", fields: fields)
            #expect(try rows(newest) == [5, 4])
            let next = try await site.send("GET", "/audit?limit=2&before=4", fields: fields)
            #expect(try rows(next) == [3, 2])
            let oldest = try await site.send("GET", "/audit?after=0&limit=2", fields: fields)
            #expect(try rows(oldest) == [1, 2])
            let rest = try await site.send("GET", "/audit?after=3", fields: fields)
            #expect(try rows(rest) == [4, 5])
            let past = try await site.send("GET", "/audit?after=5", fields: fields)
            #expect(past.text == "[]")
            // Both make a range, of which the oldest are first.
            for (query, expected) in [
                ("after=1&before=5", [2, 3, 4]), ("after=1&before=5&limit=2", [2, 3]),
                ("before=4&after=3", []), ("after=0&before=9223372036854775807", [1, 2, 3, 4, 5]),
                ("after=4&before=100", [5]), ("after=7&before=9", []),
            ] {
                let range = try await site.send("GET", "/audit?\(query)", fields: fields)
                #expect(range.status == 200, "\(range.text)")
                #expect(try rows(range) == expected, "\(query)")
            }

            let page = try JSON(parsing: newest.body)
            let row = try #require(page[0])
            #expect(row["change"] == "publish")
            #expect(row["environment"] == "production")
            #expect(row["name"] == "default")
            #expect(row["authorName"] == "ada")
            #expect(row["address"] == "127.0.0.1")
            #expect(row["before"]?["revision"] == 4)
            #expect(row["after"]?["revision"] == 5)
            #expect(row["after"]?["message"] == "Number 5")
            #expect(row["after"]?["digest"]?.string?.count == 64)
            #expect(row["hash"]?.string?.count == 64)
            #expect(row["previous"] == page[1]?["hash"])
        }
    }

    @Test(
        "an invalid page of the audit is rejected",
        arguments: [
            "before=0", "after=-1", "limit=0", "limit=101", "before=x", "before=1&after=1",
            "before=1&after=2", "after=9223372036854775808",
        ]
    )
    func noPage(query: String) async throws {
        let fields = try await fields("data", ["audit:read"])
        try await serving(server("data")) { site in
            let answer = try await site.send("GET", "/audit?\(query)", fields: fields)
            #expect(answer.status == 422 || answer.status == 400, "\(answer.text)")
        }
    }

    @Test(
        "an empty range of the audit is rejected with both pointers",
        arguments: ["before=3&after=3", "after=9223372036854775807&before=1&limit=5"]
    )
    func noRange(query: String) async throws {
        let fields = try await fields("data", ["audit:read"])
        try await serving(server("data")) { site in
            let answer = try await site.send("GET", "/audit?\(query)", fields: fields)
            #expect(answer.status == 422, "\(answer.text)")
            let pointers = try JSON(parsing: answer.body)["errors"]?.array?.map { $0["pointer"] }
            #expect(pointers == ["/before", "/after"])
        }
    }

    @Test("the audit and the archive require their scopes, and an import requires admin")
    func scopes() async throws {
        let reader = try await fields("data", ["behaviors:read", "behaviors:write"])
        let auditor = try await fields("data", ["audit:read"])
        try await serving(server("data")) { site in
            let unknown = try await site.get("/audit")
            #expect(unknown.status == 401)
            for (method, path, fields) in [
                ("GET", "/audit", reader), ("GET", "/behaviors-archive", reader),
                ("GET", "/behaviors-archive", auditor), ("POST", "/behaviors-archive", reader),
            ] {
                let answer = try await site.send(
                    method,
                    path,
                    fields: fields,
                    body: method == "POST" ? "{}" : nil
                )
                #expect(answer.status == 403, "\(method) \(path)")
            }
        }
    }

    @Test("a server imports another server's archive once, and serves it immediately")
    func moves() async throws {
        let scopes: Scopes = ["admin", "audit:read", "behaviors:read", "behaviors:write"]
        let (old, new) = (try await fields("data", scopes), try await fields("other", scopes))
        var text = ""
        try await serving(server("data")) { site in
            try await publish(3, site, old)
            text = try await archive(site, old)
        }
        try await serving(server("other")) { site in
            let forged = text.replacing("Number 2", with: "Number 3")
            var answer = try await site.send(
                "POST",
                "/behaviors-archive",
                fields: new,
                body: forged
            )
            #expect(answer.status == 422)
            let problem = try JSON(parsing: answer.body)
            #expect(problem["detail"]?.string?.hasPrefix("line 3: row 2 was edited") == true)
            let nothing = try await site.get("/behaviors.json")
            #expect(nothing.status == 404)

            let half = text.index(text.startIndex, offsetBy: text.count / 2)
            answer = try await site.send(
                "POST",
                "/behaviors-archive",
                fields: new + [("Transfer-Encoding", "chunked")],
                chunks: [String(text[..<half]), String(text[half...])]
            )
            #expect(answer.status == 200)
            let report = try JSON(parsing: answer.body)
            #expect(report["documents"] == 1)
            #expect(report["revisions"] == 3)
            #expect(report["rows"] == 3)
            let served = try await site.get("/behaviors.json")
            #expect(served.text == Self.document)
            let again = try await archive(site, new)
            #expect(again == text)
            answer = try await site.send(
                "POST",
                "/behaviors-archive",
                fields: new,
                body: text
            )
            #expect(answer.status == 409)
            answer = try await site.send("POST", "/behaviors-archive", fields: new)
            #expect(answer.status == 422)
        }
        // Rejected imports have no row.
        #expect(try await imports() == 1)
    }

    /// The number of imports in the administration's audit.
    private func imports() async throws -> Int {
        try await SQLiteAdministration(Storage.of(folder["other"])).auditRows(after: 0, limit: 100)
            .count { $0.change == "import documents" }
    }

    @Test("an import into a store outside the data folder has a row, a rejected one has none")
    func otherStore() async throws {
        let scopes: Scopes = ["admin", "audit:read", "behaviors:read", "behaviors:write"]
        let (old, new) = (try await fields("data", scopes), try await fields("other", scopes))
        var text = ""
        try await serving(server("data")) { site in
            try await publish(1, site, old)
            text = try await archive(site, old)
        }
        var other = server("other")
        other.configuration.documents = .folder(folder["documents"])
        try await serving(other) { site in
            for (status, count) in [(200, 1), (409, 1)] {
                let answer = try await site.send(
                    "POST",
                    "/behaviors-archive",
                    fields: new,
                    body: text
                )
                #expect(answer.status == status)
                #expect(try await imports() == count)
            }
        }
    }

    @Test("an archive larger than the body limit is imported")
    func large() async throws {
        let scopes: Scopes = ["admin", "audit:read", "behaviors:read", "behaviors:write"]
        let (old, new) = (try await fields("data", scopes), try await fields("other", scopes))
        let value =
            String(repeating: "x", count: 590_000) + String(repeating: "\\u00e9", count: 2_000)
        var text = ""
        try await serving(server("data")) { site in
            for word in ["a", "b"] {
                let put = try await site.send(
                    "PUT",
                    "/behaviors/\(word)",
                    fields: old + [("Content-Type", "application/json")],
                    body: "[{\"name\":\"a\",\"actions\":[{\"func\":\"b\",\"value\":\"\(value)\"}]}]"
                )
                #expect(put.status == 201)
            }
            text = try await archive(site, old)
        }
        #expect(text.utf8.count > 1 << 20)
        try await serving(server("other")) { site in
            let answer = try await site.send(
                "POST",
                "/behaviors-archive",
                fields: new,
                body: text
            )
            #expect(answer.status == 200)
            let again = try await archive(site, new)
            #expect(again == text)
        }
    }

    @Test(
        "an archive with an invalid record is rejected with its line, pointer and reason"
    )
    func poisoned() async throws {
        let scopes: Scopes = ["admin", "audit:read", "behaviors:read", "behaviors:write"]
        let (old, new) = (try await fields("data", scopes), try await fields("other", scopes))
        var text = ""
        try await serving(server("data")) { site in
            try await publish(1, site, old)
            let rules = try await site.send(
                "PUT",
                "/environments/staging?create=true",
                fields: old + [("Content-Type", "application/json")],
                body: #"{"approvals":2}"#
            )
            #expect(rules.status == 200)
            text = try await archive(site, old)
        }
        let lines = text.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.contains(#""kind":"rules""#) })
        let bad = lines.map { line -> String in
            let line = String(line)
            guard line.contains(#""kind":"rules""#) else { return line }
            return line.replacing(#"{\"approvals\":2}"#, with: #"{\"approvals\":\"two\"}"#)
        }.joined(separator: "\n")
        #expect(bad != text)
        try await serving(server("other")) { site in
            let answer = try await site.send("POST", "/behaviors-archive", fields: new, body: bad)
            #expect(answer.status == 422)
            let detail = try JSON(parsing: answer.body)["detail"]?.string ?? ""
            #expect(
                detail.hasPrefix("line \(place + 1): /record/value/approvals: expected"),
                "\(detail)"
            )
            let rules = try await site.send("GET", "/environments/staging", fields: new)
            #expect(rules.status == 404)
            let rows = try await site.send("GET", "/audit", fields: new)
            #expect(rows.text == "[]")
            let good = try await site.send("POST", "/behaviors-archive", fields: new, body: text)
            #expect(good.status == 200)
        }
    }

    @Test("of many concurrent imports one succeeds, and the others are rejected")
    func atOnce() async throws {
        let scopes: Scopes = ["admin", "audit:read", "behaviors:read", "behaviors:write"]
        let (old, new) = (try await fields("data", scopes), try await fields("other", scopes))
        var text = ""
        try await serving(server("data")) { site in
            try await publish(2, site, old)
            text = try await archive(site, old)
        }
        let whole = text
        try await serving(server("other")) { site in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await site.send(
                            "POST",
                            "/behaviors-archive",
                            fields: new,
                            body: whole
                        )
                        .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 409, 409, 409, 409, 409])
            let next = try await site.send("POST", "/behaviors-archive", fields: new)
            #expect(next.status == 422)
        }
    }

    @Test("a streamed archive has no size limit, and the same bytes")
    func streamed() async throws {
        let scopes: Scopes = ["audit:read", "behaviors:read", "behaviors:write"]
        let fields = try await fields("data", scopes)
        try await serving(server("data")) { site in
            try await publish(5, site, fields)
            let whole = try await archive(site, fields)
            var limits = SocketTransport.Limits()
            limits.maximumResponse = 100
            let client = Client(
                site.url,
                token: String(fields[0].1.dropFirst("Bearer ".count)),
                transport: SocketTransport(limits: limits)
            )
            let route = try ActionRoute(endpoint: ExportBehaviors.self)
            let error = await #expect(throws: ClientError.self) {
                try await client.send(route, nil)
            }
            #expect(error?.kind == .tooLarge)
            let taken = Locked<[UInt8]>([])
            try await client.send(route, nil) { piece in taken.withLock { $0 += piece } }
            #expect(String(decoding: taken.withLock { $0 }, as: UTF8.self) == whole)
        }
    }

    @Test("a page of the audit with large rows ends early, and the next page continues after it")
    func largeRows() async throws {
        let fields = try await fields("data", ["audit:read"])
        let writer = try await self.fields("data", ["behaviors:write"])
        try await serving(server("data")) { site in
            for number in 1...5 {
                let value = String(repeating: "\(number)", count: 255 << 10)
                let put = try await site.send(
                    "PUT",
                    "/behaviors/default/overrides",
                    fields: writer + [("Content-Type", "application/json")],
                    body: #"{"patch":[{"op":"add","path":"/0/name","value":"\#(value)"}]}"#
                )
                #expect(put.status == 200)
            }
            var found: [Int?] = []
            var pages = 0
            while found.last != 5 {
                let after = (found.last ?? 0) ?? 0
                let page = try await site.send(
                    "GET",
                    "/audit?after=\(after)&limit=100",
                    fields: fields
                )
                let rows = try rows(page)
                try #require(!rows.isEmpty)
                #expect(page.body.count < 2 << 20)
                found += rows
                pages += 1
            }
            #expect(found == [1, 2, 3, 4, 5])
            #expect(pages > 1)
            let newest = try await site.send("GET", "/audit?limit=100", fields: fields)
            let last = try rows(newest)
            #expect(last.first == 5 && last.count < 5)
        }
    }
}
