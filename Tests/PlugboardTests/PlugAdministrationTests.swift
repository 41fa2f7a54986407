import AdministrationStore
import HTTPServer
import HTTPTypes
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestDatabase
import TestLog
import Testing

/// Each test has an action of its own: what they change is the whole process'.
@Suite("Plugs over HTTP", .serialized)
struct PlugAdministrationTests {
    private let journal = Journal()

    private func token(
        _ scopes: Scopes,
        in place: AdministrationPlace
    ) async throws -> (id: String, text: String) {
        let made = try await TokenStore(place.backend()).create(name: "ada", scopes: scopes)
        return (made.record.id, made.text)
    }

    private func client(_ site: Site, _ token: String) -> Client {
        Client(site.url, token: token)
    }

    @Test("reading and changing plugs require the scope admin")
    func forbidden() async throws {
        let place = try AdministrationPlace(.sqlite)
        class Guarded: Action<Void, Int>, GET { static var path: String { "/guarded" } }
        Guarded.self <~ { 1 }
        let other = try await token(["photos:read"], in: place).text
        try await serving(place.server(journal.logger) { Guarded.self }) { site in
            for (method, target) in [
                ("GET", "/plugs"), ("GET", "/plugs/Guarded"), ("DELETE", "/plugs/Guarded"),
            ] {
                let nobody = try await site.send(method, target)
                #expect(nobody.status == 401)
                let fields = [("Authorization", "Bearer \(other)")]
                let somebody = try await site.send(method, target, fields: fields)
                #expect(somebody.status == 403)
            }
        }
    }

    @Test("an action whose input has a caller rejects a shared cache")
    func callers() async throws {
        let place = try AdministrationPlace(.sqlite)
        class Mine: Action<Mine.Input, String>, GET {
            struct Input: Codable, Sendable { var caller: Caller? }
            static var path: String { "/mine" }
        }
        Mine.self <~ { $0.caller?.name ?? "nobody" }
        let admin = try await token(.admin, in: place)
        try await serving(place.server(journal.logger) { Mine.self }) { site in
            let fields = [
                ("Authorization", "Bearer \(admin.text)"), ("Content-Type", "application/json"),
            ]
            for (text, status) in [
                (#"{"plan":{"cache":{"plug":"closure","shared":true}}}"#, 422),
                (#"{"plan":{"cache":{"plug":"closure"}}}"#, 200),
            ] {
                let answer = try await site.send("PUT", "/plugs/Mine", fields: fields, body: text)
                #expect(answer.status == status)
            }
        }
    }

    @Test(
        "a plan is set, listed, stored, restored after a restart, and reset",
        arguments: AdministrationKind.allCases
    )
    func restart(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        class Kept: Action<Void, String>, GET { static var path: String { "/kept" } }
        Kept.named("one") <~ { "one" }
        Kept.named("two") <~ { "two" }
        let admin = try await token(.admin, in: place)
        let plan = PlugPlan.fallback(.init("two", timeout: 30), "one")
        try await serving(place.server(journal.logger) { Kept.self }) { site in
            let client = self.client(site, admin.text)
            var report = try await client.send(GetPlug.self, .init(action: "Kept"))
            #expect(report.plug.plan == "one")
            #expect(report.plug.implementations.map(\.name) == ["one", "two"])
            #expect(report.changes.isEmpty)
            report = try await client.send(SetPlug.self, .init(action: "Kept", plan: plan))
            #expect(report.plug.plan == plan)
            let answer = try await client.send(Kept.self)
            #expect(answer == "two")
            let listed = try await client.send(ListPlugs.self)
            #expect(listed.first?.implementations.last?.calls == 1)
        }
        let line = try await journal.line(with: "plug Kept")
        #expect(line.contains(#"{"fallback":[{"plug":"two","timeout":30"#))
        #expect(line.contains("by ada"))

        // As after a restart of the process: the code plugs its own.
        Kept.self <~ "one"
        try await serving(place.server(journal.logger) { Kept.self }) { site in
            let client = self.client(site, admin.text)
            var report = try await client.send(GetPlug.self, .init(action: "Kept"))
            #expect(report.plug.plan == plan)
            #expect(report.plug.isLive)
            #expect(report.changes.map(\.after) == [plan])
            #expect(report.changes.map(\.by) == [admin.id])
            report = try await client.send(ResetPlug.self, .init(action: "Kept"))
            #expect(report.plug.plan == "one")
            #expect(!report.plug.isLive)
            #expect(report.changes.map(\.after) == [nil, plan])
        }
    }

    @Test(
        "an invalid plan is a 422 with pointers, changes nothing and isn't stored",
        arguments: AdministrationKind.allCases
    )
    func invalid(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        class Firm: Action<Void, String>, POST { static var path: String { "/firm" } }
        Firm.self <~ { "default" }
        let admin = try await token(.admin, in: place).text
        try await serving(place.server(journal.logger) { Firm.self }) { site in
            let client = self.client(site, admin)
            let plan = PlugPlan.retry(.split(["closure": 90, "missing": 20]))
            let problem = await #expect(throws: Problem.self) {
                try await client.send(SetPlug.self, .init(action: "Firm", plan: plan))
            }
            #expect(problem?.status == .unprocessableContent)
            #expect(
                problem?.errors?.map(\.pointer) == [
                    "/plan/retry", "/plan/retry/plug/split/missing", "/plan/retry/plug/split",
                ]
            )
            let report = try await client.send(GetPlug.self, .init(action: "Firm"))
            #expect(!report.plug.isLive)
            #expect(report.changes.isEmpty)
            let fields = [
                ("Authorization", "Bearer \(admin)"), ("Content-Type", "application/json"),
            ]
            let body = #"{"plan":{"retry":{"plug":"closure","atempts":2}}}"#
            let slip = try await site.send("PUT", "/plugs/Firm", fields: fields, body: body)
            #expect((400...422).contains(slip.status))
            #expect(slip.text.contains("/plan/retry/atempts"))
            let unknown = try await site.send("GET", "/plugs/Nobody", fields: fields)
            #expect(unknown.status == 404)
        }
    }

    @Test(
        "If-Match changes a plan only if its tag is the current one",
        arguments: AdministrationKind.allCases
    )
    func precondition(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        class Matched: Action<Void, String>, GET { static var path: String { "/matched" } }
        Matched.named("one") <~ { "one" }
        Matched.named("two") <~ { "two" }
        let admin = try await token(.admin, in: place).text
        try await serving(place.server(journal.logger) { Matched.self }) { site in
            let client = self.client(site, admin)
            let first = try await client.send(GetPlug.self, .init(action: "Matched"))
            let code = try #require(first.etag)
            let fields = [("Authorization", "Bearer \(admin)")]
            let read = try await site.send("GET", "/plugs/Matched", fields: fields)
            #expect(read["ETag"] == code)
            let listed = try await client.send(ListPlugs.self)
            #expect(listed.first { $0.action == "Matched" }?.etag == code)
            // Calls change the statistics, not the tag.
            _ = try await client.send(Matched.self)
            var set = SetPlug.Input(action: "Matched", plan: "two", ifMatch: code)
            let second = try await client.send(SetPlug.self, set)
            #expect(second.etag != code)

            set.plan = .split(["one": 50, "two": 50])
            let reset = ResetPlug.Input(action: "Matched", ifMatch: code)
            let stale = await #expect(throws: Problem.self) {
                try await client.send(SetPlug.self, set)
            }
            #expect(stale?.status == .preconditionFailed)
            #expect(
                stale?.detail == "the plan of Matched is not the expected one: it is \"two\""
            )
            let late = await #expect(throws: Problem.self) {
                try await client.send(ResetPlug.self, reset)
            }
            #expect(late?.status == .preconditionFailed)
            set.ifMatch = nil
            set.ifNoneMatch = second.etag
            let other = await #expect(throws: Problem.self) {
                try await client.send(SetPlug.self, set)
            }
            #expect(other?.status == .preconditionFailed)
            let unchanged = try await client.send(GetPlug.self, .init(action: "Matched"))
            #expect(unchanged.plug.plan == "two")
            #expect(unchanged.changes.count == 1)

            let current = ResetPlug.Input(action: "Matched", ifMatch: second.etag)
            let last = try await client.send(ResetPlug.self, current)
            #expect(last.etag == code)
        }
    }

    @Test("a start creates no file, and logs a stored plan that is unusable")
    func start() async throws {
        let place = try AdministrationPlace(.sqlite)
        class Quiet: Action<Void, Int>, GET { static var path: String { "/quiet" } }
        Quiet.named("one") <~ { 1 }
        Quiet.named("two") <~ { 2 }
        try await serving(place.server(journal.logger) { Quiet.self }) { site in
            let answer = try await site.get("/quiet")
            #expect(answer.text == "1")
        }
        #expect(!Storage.of(place.folder).exists)
        let admin = try await token(.admin, in: place).text
        try await serving(place.server(journal.logger) { Quiet.self }) { site in
            _ = try await client(site, admin).send(
                SetPlug.self,
                .init(action: "Quiet", plan: "two")
            )
        }
        Quiet.self <~ "one"
        Actions.unplug(Quiet.named("two"))
        try await serving(place.server(journal.logger) { Quiet.self }) { site in
            let answer = try await site.get("/quiet")
            #expect(answer.text == "1")
        }
        _ = try await journal.line(with: "the stored plan of Quiet can't be plugged")
    }

    @Test("a caller with a token always gets the same side of a split")
    func sticky() async throws {
        let place = try AdministrationPlace(.sqlite)
        class Sided: Action<Void, String>, GET { static var path: String { "/sided" } }
        Sided.named("one") <~ { "one" }
        Sided.named("two") <~ { () async in "two" }
        Sided.self <~ .split(["one": 50, "two": 50])
        try await serving(place.server(journal.logger) { Sided.self }) { site in
            var sides: Set<String> = []
            for user in 0..<10 {
                var answers: Set<String> = []
                for _ in 0..<5 {
                    answers.insert(try await site.get("/sided", ("Authorization", "\(user)")).text)
                }
                #expect(answers.count == 1)
                sides.formUnion(answers)
            }
            #expect(sides.count == 2)
        }
    }

    @Test("a caller with a token also gets the same side with a streamed body")
    func stickyStream() async throws {
        let place = try AdministrationPlace(.sqlite)
        class Taken: Action<RequestBody, String>, POST { static var path: String { "/taken" } }
        Taken.named("one") <~ { body in
            for try await _ in body {}
            return "one"
        }
        Taken.named("two") <~ { body in
            for try await _ in body {}
            return "two"
        }
        Taken.self <~ .split(["one": 50, "two": 50])
        // More than is collected with a head.
        let body = String(repeating: "a", count: 256 * 1024)
        try await serving(place.server(journal.logger) { Taken.self }) { site in
            var sides: Set<String> = []
            for user in 0..<10 {
                let fields = [("Authorization", "\(user)")]
                var answers: Set<String> = []
                for _ in 0..<5 {
                    answers.insert(
                        try await site.send("POST", "/taken", fields: fields, body: body).text
                    )
                }
                #expect(answers.count == 1)
                sides.formUnion(answers)
            }
            #expect(sides.count == 2)
        }
    }

    @Test(
        "a candidate that a guard removes stays removed after a restart, with the reason",
        arguments: AdministrationKind.allCases
    )
    func guarded(kind: AdministrationKind) async throws {
        let place = try AdministrationPlace(kind)
        struct Broken: Error {}
        class Watched: Action<Void, String>, GET { static var path: String { "/watched" } }
        Watched.named("one") <~ { "one" }
        Watched.named("two") <~ { throw Broken() }
        Watched.self <~ "one"
        let admin = try await token(.admin, in: place).text
        var server = place.server(journal.logger) { Watched.self }
        server.configuration.port = 0
        server.configuration.loops = 1
        let running = try server.start()
        async let end: Void = running.run()
        guard case .tcp(_, let port)? = running.addresses.first else {
            throw HarnessError("not on TCP")
        }
        let site = Site(running: running, port: port)
        let client = self.client(site, admin)
        let plan = PlugPlan.split(["one": 50, "two": 50], guard: PlugGuard(errors: 0.1, calls: 3))
        _ = try await client.send(SetPlug.self, .init(action: "Watched", plan: plan))
        for user in 0..<50 { _ = try await site.get("/watched", ("Authorization", "\(user)")) }
        let line = try await journal.line(with: "by guard")
        #expect(line.contains("3 of 3 calls failed, more than 10 %"))
        let report = try await client.send(GetPlug.self, .init(action: "Watched"))
        #expect(report.plug.plan == "one")
        #expect(report.plug.unplugged?.plug == "two")
        #expect(report.changes.first?.by == "guard")
        #expect(report.changes.first?.reason?.hasPrefix("two: 3 of 3 calls failed") == true)
        #expect(report.changes.first?.before == plan)
        running.drain()
        try await end
    }
}
