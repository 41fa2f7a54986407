import Behaviors
import Plugboard
import Testing

@testable import PlugboardCommand

@Suite("Names that a server doesn't have")
struct SeenNamesTests {
    private let known = ListModules.Output(
        environments: ["production", "staging"],
        modules: [
            SeenModule(name: "Banner", functions: ["show", "sparkle"]),
            SeenModule(name: "Home", functions: []),
        ],
        isComplete: true
    )

    private func findings(_ text: String, new: Set<String> = []) throws -> [SeenNames.Finding] {
        SeenNames(known: known, new: new)
            .findings(in: try BehaviorDocument(json: text.utf8), at: "/modules")
    }

    @Test("known names have no finding")
    func fine() throws {
        let text = #"[{"name":"Banner","actions":[{"func":"show"},{"func":"sparkle"}]}]"#
        #expect(try findings(text).isEmpty)
        #expect(try findings(#"[{"name":"Home","actions":[]}]"#).isEmpty)
        #expect(try findings("[]").isEmpty)
    }

    @Test("a name that resembles a known one is misspelled, another may be new")
    func unknown() throws {
        let text = #"""
            [{"name":"Bannre","actions":[{"func":"anything"}]},
             {"name":"Banner","actions":[{"func":"shwo"},{"func":"explode"}]},
             {"name":"Settings","actions":[]}]
            """#
        #expect(
            try findings(text) == [
                SeenNames.Finding(
                    pointer: "/modules/0/name",
                    message: "no live document has the module Bannre, perhaps Banner",
                    isMisspelled: true
                ),
                SeenNames.Finding(
                    pointer: "/modules/1/actions/0/func",
                    message: "no live document calls Banner/shwo, perhaps show",
                    isMisspelled: true
                ),
                SeenNames.Finding(
                    pointer: "/modules/1/actions/1/func",
                    message: "no live document calls Banner/explode",
                    isMisspelled: false
                ),
                SeenNames.Finding(
                    pointer: "/modules/2/name",
                    message: "no live document has the module Settings",
                    isMisspelled: false
                ),
            ]
        )
    }

    @Test("a name is reported once, and not if it is new")
    func once() throws {
        let module = #"{"name":"Banner","actions":[{"func":"shwo"},{"func":"shwo"}]}"#
        #expect(try findings("[\(module),\(module)]").count == 1)
        for name in ["Banner/shwo", "Banner"] {
            #expect(try findings("[\(module)]", new: [name]).isEmpty)
        }
        #expect(try findings("[\(module)]", new: ["shwo", "Home/shwo"]).count == 1)
    }

    @Test("names aren't compared with an incomplete list")
    func incomplete() throws {
        var known = known
        known.isComplete = false
        let document = try BehaviorDocument(json: #"[{"name":"Bannre","actions":[]}]"#.utf8)
        #expect(SeenNames(known: known).findings(in: document, at: "").isEmpty)
    }

    @Test("an environment is known, misspelled or new")
    func environments() {
        let names = SeenNames(known: known)
        #expect(names.finding(environment: "staging") == nil)
        #expect(
            names.finding(environment: "stagign")
                == SeenNames.Finding(
                    pointer: "",
                    message: "there is no environment stagign, perhaps staging",
                    isMisspelled: true
                )
        )
        #expect(names.finding(environment: "canary")?.isMisspelled == false)
    }
}
