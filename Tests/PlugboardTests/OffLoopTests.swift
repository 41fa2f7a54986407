import BehaviorStore
import HTTPServer
import HTTPSyntax
import Logging
import Plug
import PlugHTTP
import Targeting
import TestLog
import Testing

@testable import Plugboard

/// Whether the task that asks has left its loop's thread.
private var isBesideLoop: Bool {
    withUnsafeCurrentTask { task in
        task?.unownedTaskExecutor == globalConcurrentExecutor.asUnownedTaskExecutor()
    }
}

/// A text that tells where it was decoded.
private struct Told: Codable, Sendable {
    var wasBesideLoop: Bool

    init(wasBesideLoop: Bool) { self.wasBesideLoop = wasBesideLoop }

    init(from decoder: any Decoder) throws {
        _ = try decoder.singleValueContainer().decode([String].self)
        wasBesideLoop = isBesideLoop
    }
}

private class Weigh: Action<Told, [Bool]>, POST, Scoped {
    static var path: String { "/weigh" }
    static var scopes: Scopes { [] }
}

private class OwnWeigh: Action<Told, [Bool]>, POST, Scoped {
    static var path: String { "/own/weigh" }
    static var scopes: Scopes { [] }
}

@Suite("Work off the event loop")
struct BesideLoopTests {
    init() { Weigh.self <~ { (told: Told) in [told.wasBesideLoop, isBesideLoop] } }

    private let small = #"["a"]"#
    private let large = #"[\#(Array(repeating: #""a""#, count: 20_000).joined(separator: ","))]"#

    private func withRequest<Value>(
        _ text: String,
        _ body: (inout Request) throws -> Value
    ) throws -> Value {
        let bytes = Array("POST /weigh HTTP/1.1\r\nHost: localhost\r\n\(text)\r\n".utf8)
        return try bytes.withUnsafeBufferPointer { bytes in
            let parser = RequestParser(limits: HeadLimits())
            guard case .complete = parser.parse(bytes) else { throw HarnessError("no head") }
            var request = Request(IncomingRequest(parser.headPlace, from: .unknown))
            return try body(&request)
        }
    }

    /// The reply of an action, as a task gets it that has another executor.
    private func ask(_ action: ExposedAction, _ body: String) async throws -> Response {
        let reply = try withRequest("") { request in
            try Array(body.utf8).withUnsafeBufferPointer {
                try action.answer(request, $0, ExposedAction.Tools(logger: Journal().logger))
            }
        }
        switch reply {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    private func text(_ response: Response) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("the server's own actions run off the loop, and their large inputs are decoded there")
    func own() async throws {
        let action = ExposedAction(own: OwnWeigh.self, .json(location: nil)) { (told: Told) in
            [told.wasBesideLoop, isBesideLoop]
        }
        #expect(text(try await ask(action, small)) == "[false,true]")
        #expect(text(try await ask(action, large)) == "[true,true]")
        #expect(!isBesideLoop)
    }

    @Test("other actions run on the loop, and their large inputs are decoded off it")
    func others() async throws {
        let action = ExposedAction(Weigh.self, .decoded(for: Weigh.self), .json(of: Weigh.self))
        #expect(text(try await ask(action, small)) == "[false,false]")
        #expect(text(try await ask(action, large)) == "[true,false]")
    }

    @Test("an invalid large input is a 400, like a small one")
    func invalid() async throws {
        for action in [
            ExposedAction(Weigh.self, .decoded(for: Weigh.self), .json(of: Weigh.self)),
            ExposedAction(own: OwnWeigh.self, .json(location: nil)) { (_: Told) in [] },
        ] {
            let response = try await ask(action, large + "]")
            #expect(response.status == 400 && text(response).contains("column"))
        }
    }

    @Test("a large response is compressed off the loop, a small one on it")
    func coded() async throws {
        let coding = ResponseCompression(threshold: 1000)
        for (count, isLate) in [
            (2000, false), (OffLoop.bytes, false), (OffLoop.bytes + 1, true),
        ] {
            let response = Response(
                status: 200,
                fields: ["Content-Type": "text/plain"],
                body: .bytes([UInt8](repeating: 0x61, count: count))
            )
            let reply = try withRequest("Accept-Encoding: gzip\r\n") { request in
                coding.code(.now(response), for: request.head)
            }
            switch reply {
            case .now(let coded): #expect(!isLate && ResponseCompression.isCoded(coded))
            case .later(let work):
                let coded = await work()
                #expect(isLate && ResponseCompression.isCoded(coded))
            }
        }
    }

    /// A document of so many rules, each of an action.
    private func document(_ count: Int) -> [UInt8] {
        let modules = stride(from: 0, to: count, by: 100).map { start in
            let actions = (start..<min(start + 100, count)).map {
                #"{"func":"f\#($0)","when":{"==":[{"var":"v\#($0)"},"on"]}}"#
            }
            return #"{"name":"M\#(start)","actions":[\#(actions.joined(separator: ","))]}"#
        }
        return Array("[\(modules.joined(separator: ","))]".utf8)
    }

    @Test(
        "many rules are evaluated off the loop, and so is each new variant",
        arguments: [(1, false), (10_000, true)]
    )
    func rules(_ count: Int, isAlwaysLate: Bool) async throws {
        let live = LiveBehavior(try BehaviorRevision(authored: document(count), lastModified: 1))
        var answer = BehaviorsResponse(live, .init(callers: nil, logger: Journal().logger))
        for round in 0..<3 {
            // What was read has gone when the response is made.
            var bytes = Array(
                "GET /behaviors.json?v0=on HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .utf8
            )
            let reply = try bytes.withUnsafeMutableBufferPointer { bytes in
                let parser = RequestParser(limits: HeadLimits())
                guard case .complete = parser.parse(UnsafeBufferPointer(bytes)) else {
                    throw HarnessError("no head")
                }
                defer { bytes.update(repeating: 0) }
                return answer.answer(IncomingRequest(parser.headPlace, from: .unknown), now: 2)
            }
            let response: Response
            switch reply {
            case .now(let ready):
                #expect(round > 0 && !isAlwaysLate)
                response = ready
            case .later(let work):
                #expect(round == 0 || isAlwaysLate)
                response = await work()
            }
            #expect(response.status == 200)
            #expect(text(response).contains(#""f0""#) && !text(response).contains(#""f1""#))
        }
    }

    @Test(
        "the first API description is made off the loop, with its request's conditions"
    )
    func pages() async throws {
        try await serving(Server {}) { site in
            let first = try await site.get("/openapi.json", ("If-None-Match", "*"))
            #expect(first.status == 304)
            let whole = try await site.get("/openapi.json", ("Accept-Encoding", "gzip"))
            #expect(whole.status == 200 && whole["Content-Encoding"] == "gzip")
        }
    }
}
