import HTTPServer
import HTTPTypes
import Identity
import JSONCodec
import Locking
import Logging
import Plug
import PlugHTTP
import Storage
import Testing

@testable import Plugboard

private let calls = Locked<[String: Int]>([:])

private func count(_ name: String) -> Int {
    calls.withLock { calls in
        calls[name, default: 0] += 1
        return calls[name] ?? 0
    }
}

private class Pay: Action<Pay.Input, Int>, POST {
    struct Input: Codable, Sendable { var account: String }
    static var path: String { "/pay" }
}
private class PayLater: Action<Pay.Input, Int>, POST {
    static var path: String { "/pay-later" }
    static let gates = Locked<[String: Gate]>([:])
}
private class Fail: Action<Pay.Input, Int>, POST { static var path: String { "/fail" } }
private class Refuse: Action<Pay.Input, Int>, POST { static var path: String { "/refuse" } }
private class Order: Action<Pay.Input, Int>, POST, RequiresIdempotencyKey {
    static var path: String { "/order" }
}
private class OrderOnce: Action<Pay.Input, Int>, GET, RequiresIdempotencyKey {
    static var path: String { "/order-once" }
}
private class Large: Action<Pay.Input, String>, POST { static var path: String { "/large" } }
private class Take: Action<RequestBody, Int>, POST { static var path: String { "/take" } }
private class Answering: Action<Answering.Input, Int>, POST {
    struct Input: Codable, Sendable {
        var account: String
        var status: Int
    }
    static var path: String { "/answering" }
}
private class Sell: Action<Sell.Input, String>, POST {
    struct Input: Codable, Sendable {
        var channel: String?
        var note: String?
    }
    static var path: String { "/sales" }
    static var fields: [String: HTTPField.Name] {
        HTTPField.Name("Channel").map { ["channel": $0] } ?? [:]
    }
}
private class Put: Action<Pay.Input, Int>, PUT { static var path: String { "/set" } }

@Suite("Retries with a key (draft-ietf-httpapi-idempotency-key-header)")
struct IdempotencyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        Pay.self <~ { count($0.account) }
        PayLater.self <~ { input async in
            let number = count(input.account)
            if let gate = PayLater.gates.withLock({ $0[input.account] }) { await gate.pass() }
            return number
        }
        Fail.self <~ { input in
            if count(input.account) == 1 { throw CocoaError() }
            return 2
        }
        Refuse.self <~ { input in
            throw Problem.conflict("refused \(count(input.account)) times")
        }
        Order.self <~ { count($0.account) }
        OrderOnce.self <~ { count($0.account) }
        Large.self <~ { input in
            _ = count(input.account)
            return String(repeating: "a", count: 65_536)
        }
        Take.self <~ { body in
            var size = 0
            for try await piece in body { size += piece.count }
            return size
        }
        Put.self <~ { count($0.account) }
        Answering.self <~ { input in
            if count(input.account) == 1 {
                throw Problem(status: .init(code: input.status))
            }
            return 2
        }
        Sell.self <~ { $0.channel ?? "nowhere" }
    }

    private struct CocoaError: Error {}

    private func server() -> Server {
        var server = Server {
            Pay.self
            PayLater.self
            Fail.self
            Refuse.self
            Order.self
            Large.self
            Take.self
            Put.self
            Answering.self
            Sell.self
        }
        server.configuration.dataFolder = folder["data"]
        return server
    }

    private func key(_ text: String) -> (String, String) { ("Idempotency-Key", "\"\(text)\"") }

    private func body(_ account: String) -> String { #"{"account":"\#(account)"}"# }

    @Test("the second request with a key gets the first response, without another effect")
    func repetition() async throws {
        try await serving(server()) { site in
            let first = try await site.post("/pay", body("repetition"), [key("1")])
            let second = try await site.post("/pay", body("repetition"), [key("1")])
            #expect(first.text == "1")
            #expect(second.text == "1")
            #expect(second.mediaType == first.mediaType)
            let other = try await site.post("/pay", body("repetition"), [key("2")])
            #expect(other.text == "2")
            let none = try await site.post("/pay", body("repetition"))
            #expect(none.text == "3")
        }
    }

    @Test("100 concurrent requests with a key run once")
    func concurrent() async throws {
        let gate = Gate()
        PayLater.gates.withLock { $0["concurrent"] = gate }
        try await serving(server()) { site in
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await site.post("/pay-later", body("concurrent"), [key("c")])
                    }
                }
                gate.open()
                var answers: [Answer] = []
                for try await answer in group { answers.append(answer) }
                return answers
            }
            #expect(answers.count == 100)
            #expect(answers.allSatisfy { $0.status == 200 && $0.text == "1" })
            #expect(calls.withLock { $0["concurrent"] } == 1)
        }
    }

    @Test("a stored response survives a restart")
    func restart() async throws {
        for _ in 0..<2 {
            try await serving(server()) { site in
                let answer = try await site.post("/pay", body("restart"), [key("r")])
                #expect(answer.text == "1")
            }
        }
    }

    @Test("a key with another body or target is a 422, also after a restart")
    func mismatch() async throws {
        for _ in 0..<2 {
            try await serving(server()) { site in
                let first = try await site.post("/pay", body("mismatch"), [key("m")])
                #expect(first.status == 200)
                let body = try await site.post("/pay", body("mismatched"), [key("m")])
                #expect(body.status == 422)
                #expect(body.mediaType == "application/problem+json")
                let target = try await site.post("/pay?a=1", self.body("mismatch"), [key("m")])
                #expect(target.status == 422)
                let action = try await site.post("/pay-later", self.body("action"), [key("m")])
                #expect(action.status == 200)
            }
        }
    }

    @Test("a problem is stored, too; a failed request can be retried")
    func failures() async throws {
        try await serving(server()) { site in
            for _ in 0..<2 {
                let refused = try await site.post("/refuse", body("refused"), [key("f")])
                #expect(refused.status == 409)
                #expect(refused.text.contains("refused 1 times"))
            }
            let failed = try await site.post("/fail", body("failed"), [key("f")])
            #expect(failed.status == 500)
            let again = try await site.post("/fail", body("failed"), [key("f")])
            #expect(again.text == "2")
        }
    }

    @Test(
        "a final response is stored",
        arguments: [400, 402, 404, 409, 410, 422, 424]
    )
    func kept(_ status: Int) async throws {
        let body = #"{"account":"kept \#(status)","status":\#(status)}"#
        try await serving(server()) { site in
            for _ in 0..<2 {
                let answer = try await site.post("/answering", body, [key("\(status)")])
                #expect(answer.status == status)
            }
        }
    }

    @Test(
        "a response that can change at a retry isn't stored",
        arguments: [401, 403, 408, 412, 421, 423, 425, 428, 429, 500, 503]
    )
    func transient(_ status: Int) async throws {
        let body = #"{"account":"transient \#(status)","status":\#(status)}"#
        try await serving(server()) { site in
            let refused = try await site.post("/answering", body, [key("\(status)")])
            #expect(refused.status == status)
            for _ in 0..<2 {
                let answer = try await site.post("/answering", body, [key("\(status)")])
                #expect(answer.text == "2")
            }
        }
        #expect(calls.withLock { $0["transient \(status)"] } == 2)
    }

    @Test("members of header fields and the media type are part of the request")
    func parts() async throws {
        try await serving(server()) { site in
            let app = try await site.post("/sales", "{}", [("Channel", "app"), key("s")])
            #expect(app.text == #""app""#)
            for fields in [[("Channel", "shop")], [("Channel", "")], []] {
                let other = try await site.post("/sales", "{}", fields + [key("s")])
                #expect(other.status == 422)
            }
            let form = ("Content-Type", "application/x-www-form-urlencoded")
            let none = [("Channel", "app"), key("t")]
            let empty = try await site.send("POST", "/sales", fields: none, body: "")
            #expect(empty.text == #""app""#)
            let other = try await site.send("POST", "/sales", fields: none + [form], body: "")
            #expect(other.status == 422)
            let type = ("Content-Type", "application/json;charset=utf-8")
            let same = [("User-Agent", "b"), ("Channel", "app"), key("s"), type]
            let again = try await site.send("POST", "/sales", fields: same, body: "{}")
            #expect(again.text == #""app""#)
        }
    }

    @Test("without a known caller keys are separate for each Authorization")
    func credentials() async throws {
        let fields = [[], [("Authorization", "Basic a")], [("Authorization", "Basic b")]]
        try await serving(server()) { site in
            for _ in 0..<2 {
                for (count, shown) in fields.enumerated() {
                    let answer = try await site.post("/pay", body("shown"), shown + [key("1")])
                    #expect(answer.text == "\(count + 1)")
                }
            }
        }
    }

    @Test("an invalid request leaves the key free")
    func unreadable() async throws {
        try await serving(server()) { site in
            let bad = try await site.post("/pay", "{", [key("u")])
            #expect(bad.status == 400)
            let good = try await site.post("/pay", body("unreadable"), [key("u")])
            #expect(good.status == 200)
        }
    }

    @Test("a bare key equals the quoted one, and parameters are ignored (RFC 9651 §3.3)")
    func bare() async throws {
        try await serving(server()) { site in
            let key = "8e03978e-40d5-43dd-bc93-6894a57f9324"
            for value in [key, "\"\(key)\"", "\(key);v=1", "\"\(key)\"; a; b=\"c\""] {
                let fields = [("Idempotency-Key", value)]
                let answer = try await site.post("/pay", body("bare"), fields)
                #expect(answer.status == 200)
            }
            #expect(calls.withLock { $0["bare"] } == 1)
        }
    }

    @Test(
        "an invalid key is a 400 that names the field",
        arguments: [
            "", "a b", "a,b", "a;", "a;=1", "\"\"", "\"a", "a\"", "\"a\"b\"", "\"a\\b\"", "\"a\\\"",
            "\"é\"",
            "\"a\", \"b\"", "\"" + String(repeating: "a", count: 256) + "\"",
        ]
    )
    func malformed(_ value: String) async throws {
        try await serving(server()) { site in
            let fields = [("Idempotency-Key", value)]
            let answer = try await site.post("/pay", body("malformed"), fields)
            #expect(answer.status == 400)
            #expect(answer.text.contains("Idempotency-Key must be one text"))
            #expect(calls.withLock { $0["malformed"] } == nil)
        }
    }

    @Test("two keys are a 400, and so is a key for an action with a streamed body")
    func unusable() async throws {
        try await serving(server()) { site in
            let twice = try await site.post("/pay", body("twice"), [key("1"), key("1")])
            #expect(twice.status == 400)
            let taken = try await site.post("/take", "abc", [key("1")])
            #expect(taken.status == 400)
        }
    }

    @Test("an action that requires a key rejects requests without one")
    func needed() async throws {
        try await serving(server()) { site in
            let without = try await site.post("/order", body("needed"))
            #expect(without.status == 400)
            let with = try await site.post("/order", body("needed"), [key("n")])
            #expect(with.text == "1")
        }
        var once = Server { OrderOnce.self }
        #expect { try once.start() } throws: { error in
            "\(error)".contains("OrderOnce needs an Idempotency-Key")
                && "\(error)".contains("configuration.dataFolder")
        }
        once.configuration.dataFolder = folder["data"]
        #expect(throws: StartError.self) { try once.start() }
    }

    @Test("a key is ignored for a PUT, and by a server without a data folder")
    func ignored() async throws {
        try await serving(server()) { site in
            for count in 1...2 {
                let type = ("Content-Type", "application/json")
                let answer = try await site.send(
                    "PUT",
                    "/set",
                    fields: [key("p"), type],
                    body: body("put")
                )
                #expect(answer.text == "\(count)")
            }
        }
        try await serving(Server { Pay.self }) { site in
            for count in 1...2 {
                let answer = try await site.post("/pay", body("nowhere"), [key("p")])
                #expect(answer.text == "\(count)")
            }
        }
    }

    @Test("a response that is too large to store is sent once; a retry is a 409")
    func large() async throws {
        try await serving(server()) { site in
            let first = try await site.post("/large", body("large"), [key("l")])
            #expect(first.status == 200)
            let second = try await site.post("/large", body("large"), [key("l")])
            #expect(second.status == 409)
            #expect(second.text.contains("read the result with another request"))
            #expect(calls.withLock { $0["large"] } == 1)
        }
    }

    @Test("a secret is sent once, and never stored")
    func secret() async throws {
        let tokens = TokenStore(Storage.of(folder["data"]))
        let root = try await tokens.create(name: "root", scopes: .admin).text
        let fields = [key("t"), ("Authorization", "Bearer \(root)")]
        let input = #"{"scopes":["audit:read"]}"#
        let batch = #"[{"action":"CreateToken","input":\#(input)}]"#
        try await serving(server()) { site in
            let made = try await site.post("/tokens", input, fields)
            #expect(made.status == 201)
            #expect(made["Cache-Control"] == "no-store")
            let again = try await site.post("/tokens", input, fields)
            #expect(again.status == 409)
            #expect(again.text.contains("secret"))
            let first = try await site.post("/actions", batch, fields)
            #expect(first.status == 200)
            #expect(first.text.contains(#""status":201"#))
            #expect(first["Cache-Control"] == "no-store")
            let second = try await site.post("/actions", batch, fields)
            #expect(second.text.contains(#""status":409"#))
            let refused = try await site.post("/tokens", #"{"scopes":[]}"#, fields)
            #expect(refused.status == 422)
        }
        let all = try await tokens.list()
        #expect(all.count == 3)
    }
}
