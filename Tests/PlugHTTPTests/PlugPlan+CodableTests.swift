import JSONCodec
import Plug
import PlugHTTP
import Testing

/// The JSON of plans, as `PUT /plugs/{action}` takes it and `GET` gives it.
@Suite("Plans as JSON")
struct PlugPlanCodableTests {
    @Test(
        "each kind of plan is decoded from JSON and encoded",
        arguments: [
            (#""one""#, PlugPlan.plug("one")),
            (#"{"split":{"one":90,"two":10}}"#, .split(["one": 90, "two": 10])),
            (
                #"{"split":{"one":90,"two":10},"guard":{"errors":0.05,"slowdown":2}}"#,
                .split(["one": 90, "two": 10], guard: PlugGuard(errors: 0.05, slowdown: 2))
            ),
            (#"{"shadow":{"plug":"one","with":"two"}}"#, .shadow("one", with: "two")),
            (
                #"{"shadow":{"plug":"one","with":"two","unsafe":true}}"#,
                .shadow("one", with: "two", isUnsafe: true)
            ),
            (
                #"{"fallback":[{"plug":"two","timeout":30},"one"]}"#,
                .fallback(.init("two", timeout: 30), "one")
            ),
            (
                #"{"breaker":{"plug":"one","failures":3}}"#,
                .breaker("one", failures: 3)
            ),
            (
                #"{"retry":{"plug":{"timeout":{"plug":"one","seconds":5}},"attempts":2}}"#,
                .retry(.timeout("one", seconds: 5), attempts: 2)
            ),
            (
                #"{"cache":{"plug":"one","seconds":1.5,"shared":true}}"#,
                .cache("one", seconds: 1.5, shared: true)
            ),
            (
                #"{"decorate":{"plug":"one","with":"told"}}"#,
                .decorate("one", with: "told")
            ),
        ]
    )
    func reading(text: String, plan: PlugPlan) throws {
        #expect(try JSON.decode(PlugPlan.self, from: text.utf8) == plan)
        #expect(try JSON.decode(PlugPlan.self, from: JSON.encode(plan)) == plan)
    }

    @Test(
        "invalid JSON of a plan is rejected with the pointer",
        arguments: [
            ("7", ""), ("{}", ""), (#"{"split":{"one":100},"retry":{"plug":"one"}}"#, ""),
            (#"{"split":{"one":"all"}}"#, "/split/one"),
            (#"{"retry":{"plug":"one","atempts":3}}"#, "/retry/atempts"),
            (#"{"retry":{"plug":"one"},"guard":{"errors":0.1}}"#, "/guard"),
            (#"{"timeout":{"plug":"one"}}"#, "/timeout/seconds"),
            (#"{"fallback":["one",{"plug":"two","time":1}]}"#, "/fallback/1/time"),
            (#"{"shadow":{"plug":"one","with":{"splat":1}}}"#, "/shadow/with"),
        ]
    )
    func refusing(text: String, pointer: String) throws {
        let error = #expect(throws: JSONTypeError.self) {
            try JSON.decode(PlugPlan.self, from: text.utf8)
        }
        #expect(error?.pointer == pointer)
    }

    @Test("an action with scopes allows no shared cache")
    func scoped() {
        class Own: Action<Void, Int>, GET, Scoped {
            static var path: String { "/own" }
            static var scopes: Scopes { [] }
        }
        Own.self <~ { 1 }
        let error = #expect(throws: InvalidPlan.self) {
            let plan = PlugPlan.cache("closure", shared: true)
            try PlugCell.liveBook(of: Own.self).setLive(plan)
        }
        #expect(error?.problem.errors?.map(\.pointer) == ["/cache/shared"])
    }
}
