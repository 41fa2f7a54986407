import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of Unleash variants")
struct UnleashVariantsTests: UnleashFeatures {
    @Test("variants have their values and weights, and overrides come first")
    func variants() throws {
        let imported = try imported(
            #"""
            {"features": [{"name": "f", "enabled": true, "strategies": [{"name": "default"}], "variants": [
              {"name": "a", "weight": 500, "weightType": "variable", "stickiness": "default",
               "payload": {"type": "json", "value": "{\"x\": 1.10}"}, "overrides": [{"contextName": "userId", "values": ["ada"]}]},
              {"name": "b", "weight": 500, "weightType": "variable", "payload": {"type": "string", "value": "text"}},
              {"name": "c", "weight": 0}]}]}
            """#
        )
        #expect(!imported.hasErrors)
        let ada = try served(imported, "ada")
        #expect(ada == [["x": .number(try #require(JSON.Number("1.10")))]])
        var counts: [JSON: Int] = [:]
        for number in 0..<2_000 {
            let given = try served(imported, "user-\(number)") ?? []
            #expect(given.count == 1)
            for value in given { counts[value, default: 0] += 1 }
        }
        #expect(counts.count == 2)
        // Three standard deviations of 2,000 users at 50 %.
        #expect((1_000 - 68...1_000 + 68).contains(counts["text"] ?? 0))
    }

    @Test("a user receives the variants of the first matching strategy")
    func strategyVariants() throws {
        let imported = try features(
            #"""
            {"name": "userWithId", "parameters": {"userIds": "ada"}, "variants": [{"name": "gold", "weight": 1000}]},
            {"name": "userWithId", "parameters": {"userIds": "ada,bob"}}
            """#
        )
        #expect(!imported.hasErrors)
        let (ada, bob, eve) = (
            try served(imported, "ada"), try served(imported, "bob"), try served(imported, "eve")
        )
        #expect(ada == ["gold"])
        #expect(bob == [true])
        #expect(eve == nil)
    }

    @Test("the first variant's stickiness applies to all; a different one has a warning")
    func variantStickiness() throws {
        let variants =
            #", "variants": [{"name": "a", "weight": 500, "stickiness": "company"}, {"name": "b", "weight": 500, "stickiness": "userId"}]"#
        let imported = try features(#"{"name": "default"}"#, variants)
        #expect(
            imported.findings.first?.description
                == "warning: /features/0/variants/1/stickiness: it is ignored, as in Unleash: the "
                + "first variant has company"
        )
        for company: JSON in ["x", "y", "z", 0] {
            let one = try values(imported, ["targetingKey": "ada", "company": company])
            #expect(one?.count == 1)
            for user in ["bob", "eve", "kim", "lou"] {
                let context: JSON = ["targetingKey": .string(user), "company": company]
                #expect(try values(imported, context) == one)
            }
        }
        // Without a company each user gets one variant.
        for number in 0..<50 {
            let context: JSON = ["targetingKey": .string("user-\(number)")]
            #expect(try values(imported, context)?.count == 1)
        }
    }

    @Test("a strategy's variants use the strategy's stickiness (getResult)")
    func inheritedStickiness() throws {
        let imported = try features(
            #"{"name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "company"}, "variants": [{"name": "a", "weight": 500}, {"name": "b", "weight": 500}]}"#
        )
        let ada = try values(imported, ["targetingKey": "ada", "company": "x"])
        for user in ["bob", "eve", "kim", "lou", "max"] {
            let context: JSON = ["targetingKey": .string(user), "company": "x"]
            #expect(try values(imported, context) == ada)
        }
    }
}
