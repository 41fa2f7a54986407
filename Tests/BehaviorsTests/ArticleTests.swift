import Behaviors
import Testing

@Suite("The article's app")
struct ArticleTests {
    let behavior = """
        [
            {
                "name": "GenericProtocol.MyFirstModule",
                "actions": [
                    {
                        "func": "sayHello"
                    },
                    {
                        "func": "showPopup"
                    },
                    {
                        "func": "sayGoodBye"
                    }
                ]
            },
            {
                "name": "GenericProtocol.MySecondModule",
                "actions": [
                    {
                        "func": "sayHello"
                    }
                    ,
                    {
                        "func": "showPlop"
                    },
                    {
                        "func": "sayGoodBye"
                    }
                ]
            },
            {
                "name": "GenericProtocol.MyThirdModule",
                "actions": [
                    {
                        "func": "openUrlWithUrl:",
                        "value": "https://eleven-labs.com/"
                    }
                ]
            }
        ]
        """

    let catalog = ModuleCatalog("GenericProtocol") {
        MyFirstModule.self
        MySecondModule.self
        MyThirdModule.self
    }

    @Test("loads its modules, writes its greetings and opens the page")
    func everythingSetUp() async throws {
        let (log, _) = await Log.of(try BehaviorDocument(json: behavior.utf8), catalog)
        #expect(
            log == [
                "Hello My name is MyFirstModule",
                "GoodBye My name was MyFirstModule",
                "What's up? My name is MySecondModule",
                "See you, My name was MySecondModule",
                "open https://eleven-labs.com/",
            ]
        )
    }

    @Test("skips and reports actions that don't exist in the classes")
    func reliable() async throws {
        let (_, report) = await Log.of(try BehaviorDocument(json: behavior.utf8), catalog)
        #expect(
            report.skipped == [
                BehaviorReport.Skip(
                    module: "GenericProtocol.MyFirstModule",
                    function: "showPopup",
                    pointer: "/0/actions/1",
                    reason: .noSuchFunction
                ),
                BehaviorReport.Skip(
                    module: "GenericProtocol.MySecondModule",
                    function: "showPlop",
                    pointer: "/1/actions/1",
                    reason: .noSuchFunction
                ),
            ]
        )
        #expect(
            report.performed.map(\.function) == [
                "sayHello", "sayGoodBye", "sayHello", "sayGoodBye", "openUrlWithUrl:",
            ]
        )
        #expect(
            report.description == """
                performed GenericProtocol.MyFirstModule sayHello
                performed GenericProtocol.MyFirstModule sayGoodBye
                performed GenericProtocol.MySecondModule sayHello
                performed GenericProtocol.MySecondModule sayGoodBye
                performed GenericProtocol.MyThirdModule openUrlWithUrl:
                skipped GenericProtocol.MyFirstModule showPopup (/0/actions/1): no such function
                skipped GenericProtocol.MySecondModule showPlop (/1/actions/1): no such function
                """
        )
    }

    @Test("the article's array is encoded unchanged")
    func sameText() throws {
        let document = try BehaviorDocument(json: behavior.utf8)
        #expect(document.modules.count == 3)
        #expect(document.modules[0].name == "GenericProtocol.MyFirstModule")
        #expect(
            document.modules[0].actions.map(\.function) == ["sayHello", "showPopup", "sayGoodBye"]
        )
        #expect(document.modules[2].actions[0].value == "https://eleven-labs.com/")
        #expect(document.encoded() == (try JSON(parsing: behavior.utf8).encoded()))
    }
}
