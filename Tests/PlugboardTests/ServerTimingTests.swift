import HTTPTypes
import Plug
import PlugHTTP
import TestLog
import Testing
import Tracing

@testable import Plugboard

private class Read: Action<Read.Name, String>, GET {
    struct Name: Codable, Sendable { var name: String }
    static var path: String { "/read/{name}" }
}
private class Swallow: Action<RequestBody, Int>, PUT {
    static var path: String { "/swallow" }
}
private class Store: Action<Store.Input, String>, POST {
    struct Input: Codable, Sendable { var text: String }
    static var path: String { "/store" }
}
private struct Broken: Error {}

@Suite("Server-Timing (W3C Server Timing)", .serialized)
struct ServerTimingTests {
    private func site(
        isOn: Bool = true,
        middleware: [Middleware] = [],
        _ body: (Site) async throws -> Void
    ) async throws {
        Read.self <~ { name in
            switch name.name {
            case "nothing": throw Broken()
            case "database":
                ServerTiming.add("db", .microseconds(1500), description: #"a "quoted" name"#)
                ServerTiming.add("no token", .seconds(1))
                ServerTiming.add("", .seconds(1))
                ServerTiming.add("split", .seconds(2), description: "a\r\nb")
            case "many": for index in 0..<100 { ServerTiming.add("m\(index)", .zero) }
            case "long": return String(repeating: "long ", count: 1000)
            default: break
            }
            return name.name
        }
        Swallow.self <~ { body in
            var count = 0
            for try await piece in body { count += piece.count }
            return count
        }
        Store.self <~ { input async throws in
            guard input.text.hasPrefix("good") else { throw Broken() }
            return "stored"
        }
        let folder = try TemporaryFolder()
        try folder.write("behaviors.json", "[]")
        try folder.write("page.txt", "a page")
        var server = Server(
            behaviors: .file(folder.path + "/behaviors.json"),
            middleware: middleware,
            logger: Journal().logger
        ) {
            Read.self
            Swallow.self
            Store.self
        }
        server.configuration.publicFolder = folder.path
        server.configuration.serverTiming = isOn
        try await serving(server, body)
    }

    /// The members' names and durations.
    private func members(_ answer: Answer) -> [(name: String, milliseconds: Double?)] {
        (answer["Server-Timing"] ?? "").components(between: ", ").map { member in
            let parts = member.components(between: ";dur=")
            let number = parts.count > 1 ? parts[1].prefix { $0 != ";" } : ""
            return (parts[0], Double(number))
        }
    }

    @Test("it is off by default")
    func off() async throws {
        try await site(isOn: false) { site in
            for path in ["/read/database", "/behaviors.json", "/page.txt", "/none"] {
                let answer = try await site.get(path)
                #expect(answer["Server-Timing"] == nil)
            }
        }
    }

    @Test("a large body's steps are recorded, also if one of them fails")
    func large() async throws {
        let text = String(repeating: "a", count: 100_000)
        try await site { site in
            for (body, status, steps) in [
                (#"{"text":"good \#(text)"}"#, 200, ["total", "decode", "action", "encode"]),
                (#"{"text":"bad \#(text)"}"#, 500, ["total", "decode", "action"]),
                (#"{"texts":"\#(text)"}"#, 422, ["total", "decode"]),
            ] {
                let answer = try await site.post("/store", body)
                #expect(answer.status == status)
                #expect(members(answer).map(\.name) == steps)
            }
        }
    }

    @Test("it has an action's steps in milliseconds, after the total")
    func steps() async throws {
        try await site { site in
            let members = members(try await site.get("/read/ada"))
            #expect(members.map(\.name) == ["total", "decode", "action", "encode"])
            let durations = members.compactMap(\.milliseconds)
            #expect(durations.count == 4)
            #expect(durations.allSatisfy { $0 >= 0 && $0 < 10_000 })
            #expect(durations[0] >= durations[1...].reduce(0, +) - 0.01)
        }
    }

    @Test(
        "every response has the total",
        arguments: ["/behaviors.json", "/page.txt", "/none", "/healthz"]
    )
    func others(path: String) async throws {
        try await site { site in
            let members = members(try await site.get(path))
            #expect(members.map(\.name) == ["total"])
        }
    }

    @Test("an error response has it, too, without the failed step")
    func failures() async throws {
        try await site { site in
            let failed = try await site.get("/read/nothing")
            #expect(failed.status == 500)
            #expect(members(failed).map(\.name) == ["total", "decode", "action"])
            let refused = try await site.get("/read/%FF")
            #expect(members(refused).map(\.name) == ["total"])
        }
    }

    @Test("a compressed response has the member gzip")
    func gzip() async throws {
        try await site { site in
            let answer = try await site.get("/read/long", ("Accept-Encoding", "gzip"))
            let names = members(answer).map(\.name)
            #expect(names == ["total", "decode", "action", "encode", "gzip"])
        }
    }

    @Test("the time to read a streamed body counts as the action's")
    func stream() async throws {
        try await site { site in
            let answer = try await site.send("PUT", "/swallow", fields: [], chunks: ["ab", "c"])
            #expect(members(answer).map(\.name) == ["total", "action", "encode"])
        }
    }

    @Test("an action can add members, with escaped descriptions")
    func added() async throws {
        try await site { site in
            let answer = try await site.get("/read/database")
            let field = try #require(answer["Server-Timing"])
            #expect(field.contains(#", db;dur=1.500;desc="a \"quoted\" name", "#))
            #expect(field.contains(#", split;dur=2000.000;desc="ab", "#))
            #expect(!field.contains("no token"))
        }
    }

    @Test("a response has at most 32 members")
    func bound() async throws {
        try await site { site in
            let answer = try await site.get("/read/many")
            #expect(members(answer).count == 33)
        }
    }

    @Test("a middleware can add members, through the server or in its own field")
    func middleware() async throws {
        let own = Middleware { _, next in
            ServerTiming.add("auth", .milliseconds(2))
            var response = try await next()
            if let name = HTTPField.Name("Server-Timing") {
                response.fields.append(HTTPField(name: name, value: "mine;dur=1"))
            }
            return response
        }
        try await site(middleware: [own]) { site in
            let answer = try await site.get("/page.txt")
            let fields = answer.fields.filter { $0.name == "Server-Timing" }.map(\.value)
            #expect(fields.count == 2)
            #expect(fields[0] == "mine;dur=1")
            #expect(fields[1].hasSuffix(", auth;dur=2.000"))
        }
    }

    @Test("outside of a server it does nothing")
    func outside() {
        ServerTiming.add("db", .seconds(1))
    }

    @Test(
        "a duration that can't be represented is left out",
        arguments: [
            Duration(secondsComponent: .max, attosecondsComponent: 0),
            Duration(
                secondsComponent: 9_223_372_036,
                attosecondsComponent: 999_999_999_999_999_999
            ),
            Duration(secondsComponent: .min, attosecondsComponent: 0),
        ]
    )
    func endless(duration: Duration) {
        let timings = Timings()
        var context = ServiceContext.topLevel
        context.timings = timings
        ServiceContext.withValue(context) { ServerTiming.add("db", duration) }
        #expect(timings.isEmpty)
    }
}
