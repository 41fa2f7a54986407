import HTTPTypes
import Locking

@testable import BehaviorClient

/// A transport that returns prepared responses and records the requests.
final class ScriptedTransport: Transport {
    private let script: Locked<(responses: [(Int, String, String?)], requests: [HTTPRequest])>

    init(_ responses: (Int, String, String?)...) { script = Locked((responses, [])) }

    var requests: [HTTPRequest] { script.withLock { $0.requests } }

    func add(_ responses: (Int, String, String?)...) {
        script.withLock { $0.responses += responses }
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        let next = script.withLock { script in
            script.requests.append(request)
            return script.responses.isEmpty ? nil : script.responses.removeFirst()
        }
        guard let (code, text, tag) = next else { throw ClientError(.unreachable, "offline") }
        var response = HTTPResponse(status: .init(code: code))
        response.headerFields[.eTag] = tag
        return (response, Array(text.utf8))
    }
}

/// A module that records its calls in the task's log.
final class Banner: Module {
    @TaskLocal static var log = Locked<[String]>([])

    static let functions: [Function<Banner>] = [
        Function("show:") { (_: Banner, text: String) in log.withLock { $0.append(text) } },
        Function("fail") { _ in throw ClientError(.invalidInput, "no luck") },
        Function("wait") { _ in try await Task.sleep(for: .seconds(600)) },
    ]
}

func document(_ texts: String..., extra: String = "") -> String {
    let actions = texts.map { #"{"func":"show:","value":"\#($0)"}"# }.joined(separator: ",")
    return #"[{"name":"Banner","actions":[\#(actions)]\#(extra)}]"#
}
