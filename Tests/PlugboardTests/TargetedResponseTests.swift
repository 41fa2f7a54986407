import BehaviorStore
import HTTPTypes
import Identity
import JSONCodec
import PlugHTTP
import Plugboard
import PlugboardClient
import Storage
import TestLog
import Testing

@Suite("The behavior document with rules")
struct TargetedAnswerTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let gzip = ("Accept-Encoding", "gzip")

    /// Long enough to be worth a coding.
    private static let note = String(repeating: "a note that everybody gets. ", count: 20)

    private let document = #"""
        {"segments": {"beta": {"in": ["beta", {"var": "groups"}]}},
         "modules": [
            {"name": "Home", "note": "\#(note)", "actions": [
                {"func": "show"},
                {"func": "greet", "value": "Labdien", "when": {"==": [{"var": "country"}, "LV"]}}]},
            {"name": "Banner", "when": {"segment": "beta"}, "actions": [{"func": "show"}]},
            {"name": "Pro", "when": {"==": [{"var": "user.plan"}, "pro"]}, "actions": [
                {"func": "open"}, {"func": "mine", "when": {"==": [{"var": "targetingKey"}, "ada"]}}]}]}
        """#

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("behaviors.json", document)
    }

    private var server: Server {
        Server(behaviors: .file(folder["behaviors.json"]), logger: journal.logger)
    }

    private func context(_ json: String) -> (String, String) { ("Plugboard-Context", json) }

    /// A response's modules and actions, as `Home/show,greet Pro/open`.
    private func given(_ answer: Answer) throws -> String {
        let modules = try JSON(parsing: answer.content.utf8).array ?? []
        return modules.map { module in
            let calls = (module["actions"]?.array ?? []).compactMap { $0["func"]?.string }
            return "\(module["name"]?.string ?? "")/\(calls.joined(separator: ","))"
        }.joined(separator: " ")
    }

    @Test("a context in the query or the field selects its variant, and no rule is sent")
    func given() async throws {
        try await serving(server) { site in
            for (target, field, expected) in [
                ("", nil, "Home/show"), ("?", nil, "Home/show"),
                ("?country=LV", nil, "Home/show,greet"), ("?country=L%56", nil, "Home/show,greet"),
                ("?country=EE&v=2", nil, "Home/show"),
                ("?user.plan=pro", nil, "Home/show Pro/open"),
                ("?user.plan=pro&targetingKey=ada", nil, "Home/show Pro/open,mine"),
                ("?targetingKey=ada", nil, "Home/show"),
                ("", #"{"groups":["beta"]}"#, "Home/show Banner/show"),
                (
                    "?country=LV", #"{"groups":["beta"],"user":{"plan":"pro"}}"#,
                    "Home/show,greet Banner/show Pro/open"
                ),
            ] {
                let fields = field.map { [context($0)] } ?? []
                let answer = try await site.send("GET", "/behaviors.json\(target)", fields: fields)
                #expect(answer.status == 200)
                #expect(answer.mediaType == "application/json")
                #expect(try given(answer) == expected, "\(target)")
                #expect(!answer.text.contains("when") && !answer.text.contains("segments"))
                #expect(answer.text.contains(Self.note))
                let head = try await site.send("HEAD", "/behaviors.json\(target)", fields: fields)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head["ETag"] == answer["ETag"] && head["ETag"] != nil)
                #expect(head["Content-Length"] == "\(answer.body.count)")
            }
        }
    }

    @Test("each variant and coding has its own tag, and only that tag gets a 304")
    func tags() async throws {
        try await serving(server) { site in
            var tags: [String] = []
            for target in ["", "?country=LV", "?user.plan=pro"] {
                for fields in [[], [gzip]] {
                    let path = "/behaviors.json\(target)"
                    let answer = try await site.send("GET", path, fields: fields)
                    let isCoded = !fields.isEmpty
                    #expect((answer["Content-Encoding"] == "gzip") == isCoded)
                    let tag = try #require(answer["ETag"])
                    #expect(tag.hasSuffix("-gzip\"") == isCoded)
                    for old in tags {
                        let tagged = fields + [("If-None-Match", old)]
                        let other = try await site.send("GET", path, fields: tagged)
                        #expect(other.status == 200 && other["ETag"] == tag)
                    }
                    let tagged = fields + [("If-None-Match", "\"x\", \(tag)")]
                    let known = try await site.send("GET", path, fields: tagged)
                    #expect(known.status == 304 && known["ETag"] == tag)
                    #expect(known["Vary"] == answer["Vary"] && known["Vary"] != nil)
                    #expect(known["Cache-Control"] == answer["Cache-Control"])
                    let needed = fields + [("If-Match", tags.first ?? "\"x\"")]
                    #expect(try await site.send("GET", path, fields: needed).status == 412)
                    tags.append(tag)
                }
            }
            #expect(Set(tags).count == 6)
        }
    }

    @Test("there is no Last-Modified, and conditions on dates are ignored (RFC 9110 §13.1.3)")
    func dates() async throws {
        try await serving(server) { site in
            #expect(try await site.get("/behaviors.json")["Last-Modified"] == nil)
            for name in ["If-Modified-Since", "If-Unmodified-Since"] {
                for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 06 Nov 2094 08:49:37 GMT"] {
                    let answer = try await site.get("/behaviors.json", (name, date))
                    #expect(answer.status == 200, "\(name): \(date)")
                }
            }
        }
    }

    @Test("Cache-Control and Vary are set for shared caches (RFC 5861, RFC 9111)")
    func caching() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/behaviors.json?country=LV")
            #expect(
                answer["Cache-Control"]
                    == "public, max-age=0, stale-while-revalidate=10, stale-if-error=86400"
            )
            #expect(answer["Vary"] == "Plugboard-Context, Accept-Encoding")
        }
    }

    @Test("a token's subject is the targeting key, and its response is private")
    func tokens() async throws {
        let tokens = TokenStore(Storage.of(folder["data"]))
        let ada = try await tokens.create(name: "ada", scopes: ["app"])
        try folder.write(
            "behaviors.json",
            #"[{"name":"A","when":{"==":[{"var":"targetingKey"},"\#(ada.record.id)"]},"actions":[]}]"#
        )
        var server = server
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            let bearer = ("Authorization", "Bearer \(ada.text)")
            let hers = try await site.get("/behaviors.json", bearer)
            #expect(try given(hers) == "A/")
            #expect(hers["Cache-Control"] == "private, no-cache")
            #expect(hers["Vary"] == "Plugboard-Context, Authorization")
            let claimed = try await site.get("/behaviors.json?targetingKey=eve", bearer)
            #expect(try given(claimed) == "A/")
            let anonymous = try await site.get("/behaviors.json")
            #expect(try given(anonymous) == "")
            #expect(anonymous["Cache-Control"]?.hasPrefix("public") == true)
            #expect(anonymous["Vary"] == "Plugboard-Context, Authorization")
            let wrong = try await site.get("/behaviors.json", ("Authorization", "Bearer x"))
            #expect(wrong.status == 401)
        }
    }

    @Test(
        "an invalid context is a 400 with the reason",
        arguments: [
            ("?a=%zz", nil), ("?=b", nil), ("?a=1&a=2", nil), ("?a..b=1", nil), ("?a=%00", nil),
            ("?a=1&a.b=2", nil), ("", "country=LV"), ("", "{"), ("", "[]"), ("", "\"LV\""),
            ("", #"{"a":1,"a":2}"#), ("", #"{"targetingKey":7}"#), ("", #"{"a":1e999}"#),
            ("?country=LV", #"{"country":"EE"}"#), ("", #"{"a":[[[[[[[[[1]]]]]]]]]}"#),
        ] as [(String, String?)]
    )
    func unreadable(_ target: String, _ field: String?) async throws {
        try await serving(server) { site in
            let fields = field.map { [context($0)] } ?? []
            for method in ["GET", "HEAD"] {
                let answer = try await site.send(method, "/behaviors.json\(target)", fields: fields)
                #expect(answer.status == 400)
                #expect(answer.mediaType == "application/problem+json")
                if method == "GET" {
                    let problem = try JSON(parsing: answer.body)
                    #expect(problem["detail"]?.string?.isEmpty == false)
                }
            }
        }
    }

    @Test("two fields with contexts are a 400")
    func severalFields() async throws {
        try await serving(server) { site in
            let answer = try await site.get("/behaviors.json", context("{}"), context("{}"))
            #expect(answer.status == 400)
            #expect(answer.text.contains("there is more than one Plugboard-Context"))
        }
    }

    @Test("a document without rules ignores query, context and token")
    func plain() async throws {
        try folder.write("behaviors.json", #"[{"name":"A","actions":[]}]"#)
        var server = server
        server.configuration.dataFolder = folder["data"]
        try await serving(server) { site in
            let answer = try await site.get(
                "/behaviors.json?a=1&a=2",
                context("{"),
                ("Authorization", "Bearer x")
            )
            #expect(answer.status == 200 && answer["Cache-Control"] == "no-cache")
            #expect(answer["Last-Modified"] != nil && answer["Vary"] == nil)
        }
    }

    @Test("a rule that can't be evaluated is false, counted, and logged once")
    func failing() async throws {
        try folder.write(
            "behaviors.json",
            #"[{"name":"A","when":{"sem_ver":[{"var":"v"},">=","2.0.0"]},"actions":[]}]"#
        )
        try await serving(operated(server)) { site in
            for (target, expected) in [("?v=2.1.0", "A/"), ("?v=x", ""), ("", "")] {
                let answer = try await site.get("/behaviors.json\(target)")
                #expect(answer.status == 200)
                #expect(try given(answer) == expected)
            }
            let labels = #"{environment="production",document="default"}"#
            let problems = "plugboard_behavior_rule_problems_total" + labels
            #expect(try await site.metric(problems) == 2)
            #expect(try await site.metric("plugboard_behavior_variants" + labels) == 2)
            let told = journal.lines.filter { $0.contains("can't be evaluated") }
            #expect(told.count == 1)
            #expect(told.first?.contains("/0/when/sem_ver: ") == true)
        }
    }

    @Test("an edit with invalid rules changes nothing; a valid one has new tags")
    func edits() async throws {
        try await serving(server) { site in
            let behaviors = try #require(site.running.parts.behaviors)
            let before = try await site.get("/behaviors.json?country=LV")
            try folder.write("behaviors.json", #"[{"name":"A","when":{"nope":1},"actions":[]}]"#)
            #expect(!behaviors.refresh())
            #expect(
                journal.lines.contains {
                    $0.contains("line 1, column 29: /0/when/nope: no such operation")
                }
            )
            #expect(try await site.get("/behaviors.json?country=LV")["ETag"] == before["ETag"])
            try folder.write("behaviors.json", document + "\n")
            #expect(behaviors.refresh())
            let after = try await site.get("/behaviors.json?country=LV")
            #expect(after.text == before.text)
            #expect(after["ETag"] != before["ETag"] && after["ETag"] != nil)
            try folder.write("behaviors.json", #"[{"name":"A","actions":[]}]"#)
            #expect(behaviors.refresh())
            #expect(try await site.get("/behaviors.json")["Cache-Control"] == "no-cache")
        }
    }

    @Test("invalid rules are a start-up error")
    func start() throws {
        try folder.write("behaviors.json", #"[{"name":"A","when":{"nope":1},"actions":[]}]"#)
        let error = #expect(throws: StartError.self) { try server.start() }
        #expect(error?.description.contains("/0/when/nope: no such operation") == true)
    }
}
