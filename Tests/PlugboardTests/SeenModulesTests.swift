import Plugboard
import Testing

@Suite("The names of documents")
struct SeenModulesTests {
    @Test("the functions of a module are joined over all documents")
    func joined() {
        var seen = SeenModules()
        seen.add(.init(functions: ["Home": ["show"], "Shop": []], size: 40))
        seen.add(.init(functions: ["Home": ["dance"]], size: 40))
        #expect(
            seen.modules == [
                SeenModule(name: "Home", functions: ["dance", "show"]),
                SeenModule(name: "Shop", functions: []),
            ]
        )
    }

    @Test("the sizes of all documents together have a limit")
    func size() {
        var seen = SeenModules()
        for isComplete in [true, false] {
            seen.add(.init(functions: [:], size: 40 << 20))
            #expect(seen.isComplete == isComplete)
        }
    }
}
