import Plugboard
import Testing

@Suite("The names of documents")
struct SeenModulesTests {
    private let document = SeenModules.Names(functions: ["Home": ["show"], "Shop": []], size: 40)

    @Test("a revision is read once, over all values")
    func once() async throws {
        var first = SeenModules()
        try await first.add(.served(etag: "a")) { document }
        try await first.add(.served(etag: "a")) { throw CancellationError() }
        var second = SeenModules(after: first.known)
        try await second.add(.served(etag: "a")) { throw CancellationError() }
        let modules = [
            SeenModule(name: "Home", functions: ["show"]), SeenModule(name: "Shop", functions: []),
        ]
        #expect(first.modules == modules && second.modules == modules)
    }

    @Test("a new revision is read, and the replaced one is forgotten")
    func replaced() async throws {
        var first = SeenModules()
        try await first.add(.served(etag: "a")) { document }
        var second = SeenModules(after: first.known)
        try await second.add(.served(etag: "b")) {
            SeenModules.Names(functions: ["Home": ["dance"]], size: 40)
        }
        #expect(second.modules == [SeenModule(name: "Home", functions: ["dance"])])
        #expect(second.known.keys.elementsEqual([.served(etag: "b")]))
    }

    @Test("a known revision counts against the limit of the size")
    func size() async throws {
        let large = SeenModules.Names(functions: [:], size: 40 << 20)
        var first = SeenModules()
        try await first.add(.served(etag: "a")) { large }
        #expect(first.isComplete)
        var second = SeenModules(after: first.known)
        try await second.add(.served(etag: "a")) { throw CancellationError() }
        try await second.add(.served(etag: "b")) { large }
        #expect(!second.isComplete)
    }
}
