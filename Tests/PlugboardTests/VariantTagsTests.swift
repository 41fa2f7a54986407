import HTTPTypes
import JSONCodec
import Plugboard
import SeededNumbers
import TestLog
import Testing

/// Of contexts that differ, no tag stands for another's document.
@Suite("Tags of variants")
struct VariantTagsTests {
    /// The response for one context.
    private struct Given {
        let tag: String
        let body: [UInt8]
    }

    /// A context as it goes over the wire: a query, perhaps a field, perhaps a coding.
    private struct Request: Hashable {
        var query: String
        var field: String?
        var prefersGzip: Bool

        func bytes(ifNoneMatch tag: String? = nil) -> [UInt8] {
            var lines = ["GET /behaviors.json?\(query) HTTP/1.1", "Host: localhost"]
            if let field { lines.append("Plugboard-Context: \(field)") }
            if prefersGzip { lines.append("Accept-Encoding: gzip") }
            if let tag { lines.append("If-None-Match: \(tag)") }
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }
    }

    private static let document = """
        [{"name": "Home", "note": "\(String(repeating: "text ", count: 40))", "actions": [
            {"func": "greet", "when": {"in": [{"var": "country"}, ["LV", "EE"]]}},
            {"func": "shine", "when": {"rollout": 30}}]},
         {"name": "New", "when": {"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, "actions": [
            {"func": "open", "when": {"==": [{"var": "plan"}, "pro"]}}]},
         {"name": "Half", "when": {"rollout": 50}, "actions": [{"func": "show"}]}]
        """

    @Test("10,000 random pairs of contexts: 304 exactly if the bytes are the same")
    func pairs() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("behaviors.json", Self.document)
        let site = try Server(behaviors: .file(path), logger: Journal().logger).inMemory()
        var generator = SeededNumbers(seed: 2_026)
        var known: [Request: Given] = [:]
        func given(_ request: Request) async throws -> Given {
            if let given = known[request] { return given }
            let (head, body) = try await site.answer(request.bytes())
            let tag = try #require(head.headerFields[.eTag])
            let given = Given(tag: tag, body: body)
            known[request] = given
            return given
        }
        var sameCount = 0
        for _ in 0..<10_000 {
            let first = Self.request(&generator)
            let second = Self.request(&generator)
            let (one, other) = (try await given(first), try await given(second))
            let (head, _) = try await site.answer(second.bytes(ifNoneMatch: one.tag))
            let isSame = one.body == other.body
            sameCount += isSame ? 1 : 0
            if (head.status.code == 304) != isSame || (one.tag == other.tag) != isSame {
                Issue.record("\(first) and \(second): \(head.status.code)")
            }
        }
        // Neither kind of pair is rare, or nothing would have been shown.
        #expect((200...9_800).contains(sameCount), "\(sameCount)")
    }

    private static func request(_ generator: inout SeededNumbers) -> Request {
        func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }
        var items: [String] = []
        var members: [String] = []
        for (name, values) in [
            ("country", ["LV", "EE", "LT", "DE"]),
            ("version", ["1.9.9", "2.0.0", "2.1.0-rc.1", "x"]), ("plan", ["pro", "free"]),
            ("targetingKey", (0..<40).map { "user-\($0)" }),
        ] {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: break
            case 1: members.append("\"\(name)\":\"\(pick(values))\"")
            default: items.append("\(name)=\(pick(values))")
            }
        }
        return Request(
            query: items.joined(separator: "&"),
            field: members.isEmpty ? nil : "{\(members.joined(separator: ","))}",
            prefersGzip: Bool.random(using: &generator)
        )
    }
}
