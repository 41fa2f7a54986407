import Behaviors
import Testing

@Suite("A module catalog")
struct ModuleCatalogTests {
    let catalog = ModuleCatalog("App") {
        Everything.self
        MyThirdModule.self
        Renamed.self
    }

    /// Performs actions of `Everything`, each a function's name and perhaps a value.
    private func perform(
        _ actions: (String, JSON?)...
    ) async -> (log: [String], report: BehaviorReport) {
        let module = BehaviorModule(
            name: "Everything",
            actions: actions.map { BehaviorAction(function: $0.0, value: $0.1) }
        )
        return await Log.of(BehaviorDocument(modules: [module]), catalog)
    }

    /// Returns the reason why a single action was skipped; nil if it was performed.
    private func reason(_ function: String, _ value: JSON? = nil) async -> SkipReason? {
        let report = await perform((function, value)).report
        #expect(report.performed.count + report.skipped.count == 1)
        return report.skipped.first?.reason
    }

    @Test("finds a module by its name with or without its prefix only")
    func names() async throws {
        #expect(
            catalog.names == [
                "App.Everything", "App.MyThirdModule", "App.OldName", "Everything",
                "MyThirdModule", "OldName",
            ]
        )
        let text = """
            [{"name":"App.OldName","actions":[{"func":"act"}]},
             {"name":"OldName","actions":[{"func":"act"}]},
             {"name":"Other.OldName","actions":[{"func":"act"},{"func":"b","value":1}]},
             {"name":"renamed","actions":[]},
             {"name":"","actions":[]}]
            """
        let (log, report) = await Log.of(try BehaviorDocument(json: text.utf8), catalog)
        #expect(log == ["acted", "acted"])
        #expect(report.skipped.map(\.pointer) == ["/2/actions/0", "/2/actions/1", "/3", "/4"])
        #expect(report.skipped.map(\.function) == ["act", "b", nil, nil])
        #expect(report.skipped.allSatisfy { $0.reason == .noSuchModule })
    }

    @Test("creates one instance for each entry of the document")
    func instances() async {
        let twice = BehaviorModule(
            name: "Everything",
            actions: ["increment", "increment", "write"].map { BehaviorAction(function: $0) }
        )
        let (log, report) = await Log.of(BehaviorDocument(modules: [twice, twice]), catalog)
        #expect(log == ["2", "2"])
        #expect(report.performed.count == 6)
    }

    @Test("calls functions that are synchronous or async, throwing or not, with or without a value")
    func allKinds() async {
        let (log, report) = await perform(
            ("increment", nil),
            ("wait", nil),
            ("add:", 2),
            ("write", .null),
            ("popup:", ["title": "Hi", "buttons": [1, 2]]),
            ("paint:", "red"),
            ("paint:", .null),
            ("paint:", nil)
        )
        #expect(log == ["3", "Hi [1, 2]", "red", "none", "none"])
        #expect(report.skipped.isEmpty)
    }

    @Test("skips a value of the wrong type and reports its location")
    func wrongValue() async {
        #expect(
            await reason("popup:", ["title": "Hi", "buttons": [1, "x"]])
                == .wrongValue(pointer: "/buttons/1", message: "expected an integer")
        )
        #expect(
            await reason("popup:", ["buttons": []])
                == .wrongValue(pointer: "/title", message: "missing")
        )
        #expect(
            await reason("popup:", "Hi") == .wrongValue(pointer: "", message: "expected an object")
        )
        #expect(
            await reason("add:", 256) == .wrongValue(pointer: "", message: "out of range: 0 to 255")
        )
        #expect(
            await reason("paint:", "blue")
                == .wrongValue(
                    pointer: "",
                    message: "unknown value \"blue\": expected one of red, green"
                )
        )
    }

    @Test("skips a call with a missing or an unexpected value")
    func valueOrNot() async {
        #expect(await reason("add:") == .valueMissing)
        #expect(await reason("add:", .null) == .valueMissing)
        #expect(await reason("write", 1) == .valueUnexpected)
        #expect(await reason("write", false) == .valueUnexpected)
    }

    @Test("reports an error that a function throws, and continues")
    func threw() async {
        let (log, report) = await perform(("fail:", "no luck"), ("write", nil))
        #expect(report.skipped.map(\.reason) == [.threw("no luck")])
        #expect(log == ["0"])
    }

    @Test("skips the rest when the task is cancelled")
    func cancelled() async {
        let text = """
            [{"name":"Everything","actions":[{"func":"write"},{"func":"cancel"},{"func":"write"}]},
             {"name":"Nobody","actions":[{"func":"write"}]},
             {"name":"OldName","actions":[{"func":"act"}]}]
            """
        let task = Task { [catalog] in
            await Log.of(try BehaviorDocument(json: text.utf8), catalog)
        }
        let result = try? await task.value
        #expect(result?.log == ["0"])
        #expect(result?.report.performed.map(\.function) == ["write", "cancel"])
        #expect(
            result?.report.skipped.map(\.pointer) == [
                "/0/actions/2", "/1/actions/0", "/2/actions/0",
            ]
        )
        #expect(result?.report.skipped.allSatisfy { $0.reason == .cancelled } == true)
        let asleep = Task { [self] in await reason("sleep") }
        #expect(await asleep.value == .cancelled)
    }

    @Test("performs no module and no action with a rule, whatever the rule is")
    func rules() async throws {
        for rule in ["false", "true", "null", #"{"==":[1,1]}"#] {
            let text = """
                [{"name":"Everything","when":\(rule),"actions":[{"func":"write"}]},
                 {"name":"Everything","actions":[{"func":"write","when":\(rule)},{"func":"write"}]},
                 {"name":"Nobody","when":\(rule),"actions":[]}]
                """
            let (log, report) = await Log.of(try BehaviorDocument(json: text.utf8), catalog)
            #expect(log == ["0"])
            #expect(
                report.skipped.map(\.pointer) == ["/0/actions/0", "/1/actions/0", "/2"]
            )
            #expect(report.skipped.allSatisfy { $0.reason == .ruleNotEvaluated })
        }
    }

    @Test("uses the first of two modules with one name, and can be built with if and for")
    func builder() async {
        enum Other {
            final class Renamed: Module {
                static let moduleName = "OldName"
                static let functions: [Function<Renamed>] = []
            }
        }
        let wantsThird = Bool.random()
        let catalog = ModuleCatalog {
            Renamed.self
            Other.Renamed.self
            if wantsThird { MyThirdModule.self }
            if wantsThird { MyFirstModule.self } else { MySecondModule.self }
            for module in [Everything.self, MyFirstModule.self] as [any Module.Type] { module }
            [MySecondModule.self, Everything.self]
        }
        #expect(catalog.names.contains("MyThirdModule") == wantsThird)
        #expect(catalog.names.contains("MySecondModule"))
        let module = BehaviorModule(name: "OldName", actions: [BehaviorAction(function: "act")])
        #expect(await Log.of(BehaviorDocument(modules: [module]), catalog).log == ["acted"])
        #expect(ModuleCatalog {}.names.isEmpty)
    }

    @MainActor
    @Test("a function may switch to the main actor")
    func mainActor() async {
        final class Screen: Module {
            func open(_ url: String) async { await MainActor.run { Log.write("open \(url)") } }

            static let functions: [Function<Screen>] = [Function("open") { await $0.open($1) }]
        }
        let module = BehaviorModule(
            name: "Screen",
            actions: [BehaviorAction(function: "open", value: "/")]
        )
        let catalog = ModuleCatalog { Screen.self }
        #expect(await Log.of(BehaviorDocument(modules: [module]), catalog).log == ["open /"])
    }
}
