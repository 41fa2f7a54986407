import BehaviorStore
import HTTPSyntax
import HTTPServer
import TestLog
import Testing

@testable import Plugboard

@Suite("Behavior documents by name")
struct NamedBehaviorsTests {
    private let documents = LiveBehaviors()

    private func revision(_ name: String) -> BehaviorRevision {
        let text = #"[{"name":"\#(name)","actions":[]}]"#
        return BehaviorRevision(bytes: Array(text.utf8), lastModified: 1)
    }

    private func make() -> NamedBehaviors {
        NamedBehaviors(documents, .init(callers: nil, logger: Journal().logger))
    }

    /// The body of an answer; nil where there is none.
    private func ask(_ behaviors: inout NamedBehaviors, _ path: String) -> String? {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        return request.withUnsafeBufferPointer { bytes in
            let parser = RequestParser(limits: HeadLimits())
            guard case .complete = parser.parse(bytes) else { return nil }
            let request = IncomingRequest(parser.headPlace, from: .unknown)
            guard case .now(let response) = behaviors.answer(request, now: 2),
                case .bytes(let body) = response.body
            else { return nil }
            return String(decoding: body, as: UTF8.self)
        }
    }

    private func expect(_ behaviors: inout NamedBehaviors, _ path: String, _ name: String?) {
        let body = ask(&behaviors, path)
        #expect(body == name.map { #"[{"name":"\#($0)","actions":[]}]"# }, "\(path)")
    }

    @Test("each of many is found only by its exact name")
    func found() {
        let names = (0..<100).map { "n\($0)" }
        for name in names { documents[name] = LiveBehavior(revision(name)) }
        documents["default"] = LiveBehavior(revision("default"))
        var behaviors = make()
        for name in names {
            expect(&behaviors, "/behaviors/\(name).json", name)
        }
        expect(&behaviors, "/%62ehaviors/n%31%2Ejson", "n1")
        for path in [
            "/behaviors/.json", "/behaviors/n100.json", "/behaviors/n", "/behaviors/n1",
            "/behaviors", "/behaviors/default.json", "/behaviors/N1.json", "/behaviors/n1.json/",
            "/behaviours/n1.json", "/behaviors/n%2F1.json",
        ] {
            expect(&behaviors, path, nil)
        }
    }

    @Test(
        "a document without a servable revision is a 503, so caches may use old ones (RFC 5861 §4)"
    )
    func unserved() {
        let live = LiveBehavior(nil)
        documents["default"] = live
        var behaviors = make()
        for _ in 0..<2 {
            let body = ask(&behaviors, "/behaviors.json")
            #expect(body?.contains(#""status":503"#) == true, "\(body ?? "")")
        }
        live.move(to: revision("one"))
        expect(&behaviors, "/behaviors.json", "one")
        live.move(to: nil)
        #expect(ask(&behaviors, "/behaviors.json")?.contains("503") == true)
        live.move(to: revision("two"))
        expect(&behaviors, "/behaviors.json", "two")
    }

    @Test("documents are added, changed and removed while requests are served")
    func changes() {
        var behaviors = make()
        expect(&behaviors, "/behaviors/a.json", nil)
        let live = LiveBehavior(revision("one"))
        documents["a"] = live
        expect(&behaviors, "/behaviors/a.json", "one")
        live.move(to: revision("two"))
        expect(&behaviors, "/behaviors/a.json", "two")
        documents["b"] = LiveBehavior(revision("other"))
        expect(&behaviors, "/behaviors/a.json", "two")
        expect(&behaviors, "/behaviors/b.json", "other")
        documents["a"] = LiveBehavior(revision("three"))
        expect(&behaviors, "/behaviors/a.json", "three")
        documents["a"] = nil
        expect(&behaviors, "/behaviors/a.json", nil)
    }
}
