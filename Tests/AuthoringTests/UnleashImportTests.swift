import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Features that are taken from Unleash")
struct UnleashImportTests {
    private func imported(_ text: String, _ environment: String? = nil) throws -> ImportedBehavior {
        .unleash(try JSON(parsing: text.utf8), environment: environment)
    }

    private func features(_ strategies: String, _ others: String = "") throws -> ImportedBehavior {
        try imported(
            #"{"version": 2, "features": [{"name": "f", "enabled": true, "strategies": [\#(strategies)]}]\#(others)}"#
        )
    }

    /// The rule of the one feature, as text; `everybody` where it has none.
    private func rule(_ imported: ImportedBehavior) -> String {
        imported.document.modules.first?.others["when"]?.description ?? "everybody"
    }

    private func constraint(_ members: String) throws -> ImportedBehavior {
        try features(#"{"name": "default", "constraints": [{\#(members)}]}"#)
    }

    /// The values of a feature that a context is given; nil where it is left out.
    private func values(
        _ imported: ImportedBehavior,
        _ user: String?,
        _ properties: JSON.Object = [:],
        timestamp: Int64? = nil
    ) throws -> [JSON]? {
        let behavior = try TargetedBehavior(imported.document)
        let context = try TargetingContext(
            targetingKey: user,
            properties: properties,
            timestamp: timestamp
        )
        let served = behavior.behavior(of: behavior.evaluate(context).variant)
        return served.modules.first.map { $0.actions.compactMap(\.value) }
    }

    @Test(
        "have rules for the strategies that Unleash has",
        arguments: [
            ("", "everybody"),
            (#"{"name": "default"}"#, "everybody"),
            (
                #"{"name": "default"}, {"name": "userWithId", "parameters": {"userIds": "1"}}"#,
                "everybody"
            ),
            (
                #"{"name": "userWithId", "parameters": {"userIds": "ada, bob,,  eve "}}"#,
                #"{"in":[{"var":"targetingKey"},["ada","bob","eve"]]}"#
            ),
            (
                #"{"name": "gradualRolloutUserId", "parameters": {"percentage": "0", "groupId": "g"}}"#,
                "false"
            ),
            (
                #"{"name": "gradualRolloutUserId", "parameters": {"percentage": "100", "groupId": "g"}}"#,
                #"{"!!":{"var":"targetingKey"}}"#
            ),
            (
                #"{"name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "companyId"}}"#,
                #"{"!!":{"cat":[{"var":"companyId"}]}}"#
            ),
            (
                #"{"name": "flexibleRollout", "parameters": {"rollout": 100, "stickiness": "default"}}"#,
                "everybody"
            ),
            (
                #"{"name": "gradualRolloutRandom", "parameters": {"percentage": "100"}}"#,
                "everybody"
            ),
            (
                #"{"name": "gradualRolloutUserId", "parameters": {"percentage": "15", "groupId": "g"}}"#,
                #"{"rollout":[{"if":[{"var":"targetingKey"},{"cat":["g:",{"var":"targetingKey"}]}]},15]}"#
            ),
            (
                #"{"name": "flexibleRollout", "parameters": {"rollout": "25", "stickiness": "companyId", "groupId": "f"}}"#,
                #"{"and":[{"!!":{"cat":[{"var":"companyId"}]}},{"rollout":[{"if":[{"cat":[{"var":"companyId"}]},{"cat":["f:",{"cat":[{"var":"companyId"}]}]}]},25]}]}"#
            ),
            (
                #"{"name": "remoteAddress", "parameters": {"IPs": "10.0.0.1, 192.168.1.0/24, 10.1.2.3/32"}}"#,
                #"{"or":[{"starts_with":[{"cat":[{"var":"remoteAddress"}]},"192.168.1."]},{"in":[{"cat":[{"var":"remoteAddress"}]},["10.0.0.1","10.1.2.3"]]}]}"#
            ),
            (
                #"{"name": "userWithId", "parameters": {"userIds": "1"}}, {"name": "userWithId", "parameters": {"userIds": "2"}}"#,
                #"{"or":[{"in":[{"var":"targetingKey"},["1"]]},{"in":[{"var":"targetingKey"},["2"]]}]}"#
            ),
        ]
    )
    func strategies(_ strategies: String, _ expected: String) throws {
        let imported = try features(strategies)
        #expect(rule(imported) == expected)
        #expect(!imported.hasErrors)
    }

    @Test(
        "have rules for constraints and their operators",
        arguments: [
            (
                #""contextName": "country", "operator": "IN", "values": ["LV", "EE"]"#,
                #"{"in":[{"cat":[{"var":"country"}]},["LV","EE"]]}"#
            ),
            (
                #""contextName": "country", "operator": "NOT_IN", "values": ["LV"]"#,
                #"{"!":{"in":[{"cat":[{"var":"country"}]},["LV"]]}}"#
            ),
            (
                #""contextName": "userId", "operator": "IN", "values": ["1"], "inverted": true"#,
                #"{"!":{"in":[{"var":"targetingKey"},["1"]]}}"#
            ),
            (
                #""contextName": "email", "operator": "STR_ENDS_WITH", "values": ["@a.com", "@b.com"], "caseInsensitive": false"#,
                #"{"or":[{"ends_with":[{"cat":[{"var":"email"}]},"@a.com"]},{"ends_with":[{"cat":[{"var":"email"}]},"@b.com"]}]}"#
            ),
            (
                #""contextName": "email", "operator": "STR_STARTS_WITH", "values": ["a"]"#,
                #"{"starts_with":[{"cat":[{"var":"email"}]},"a"]}"#
            ),
            (
                #""contextName": "email", "operator": "STR_CONTAINS", "values": ["x"]"#,
                #"{"in":["x",{"cat":[{"var":"email"}]}]}"#
            ),
            (
                #""contextName": "age", "operator": "NUM_GTE", "value": "18""#,
                #"{"and":[{"==":[{"var":"age"},{"+":[{"var":"age"}]}]},{">=":[{"var":"age"},18]}]}"#
            ),
            (
                #""contextName": "currentTime", "operator": "DATE_AFTER", "value": "2022-01-29T13:00:00.000Z""#,
                #"{">":[{"var":"$flagd.timestamp"},1643461200]}"#
            ),
        ]
    )
    func constraints(_ members: String, _ expected: String) throws {
        let imported = try constraint(members)
        #expect(rule(imported) == expected)
        #expect(imported.findings.isEmpty)
    }

    @Test(
        "with unsupported parts are for nobody, and the part's place is reported",
        arguments: [
            (
                #"{"name": "myOwn", "parameters": {"x": "1"}}"#,
                "error: /features/0/strategies/0/name: unknown strategy; the strategy applies to no user"
            ),
            (
                #"{"name": "applicationHostname", "parameters": {"hostNames": "a"}}"#,
                "error: /features/0/strategies/0/name: an app has no server host name; the strategy applies to no user"
            ),
            (
                #"{"name": "flexibleRollout", "parameters": {"rollout": "all"}}"#,
                "error: /features/0/strategies/0/parameters/rollout: expected a percentage; the strategy applies to no user"
            ),
            (
                #"{"name": "gradualRolloutUserId"}"#,
                "error: /features/0/strategies/0/parameters/percentage: expected a percentage; the strategy applies to no user"
            ),
            (
                #"{"name": "remoteAddress", "parameters": {"IPs": "10.0.0.0/12"}}"#,
                "error: /features/0/strategies/0/parameters/IPs: 10.0.0.0/12: only IPv4 ranges with /8, /16, /24 or /32 are supported; it applies to no user"
            ),
            (
                #"{"name": "default", "segments": [9]}"#,
                "error: /features/0/strategies/0/segments/0: there is no such segment in the export; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "disabled": true}"#,
                "warning: /features/0/strategies/0/disabled: a disabled strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "LIKE", "values": []}]}"#,
                "error: /features/0/strategies/0/constraints/0/operator: unknown operator; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"operator": "IN"}]}"#,
                "error: /features/0/strategies/0/constraints/0/contextName: expected a name; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a.b", "operator": "IN"}]}"#,
                "error: /features/0/strategies/0/constraints/0/contextName: a name with a dot is a path here; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "STR_CONTAINS", "values": ["b"], "caseInsensitive": true}]}"#,
                "error: /features/0/strategies/0/constraints/0/caseInsensitive: comparisons are case-sensitive here; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "NUM_EQ", "value": "x"}]}"#,
                "error: /features/0/strategies/0/constraints/0/value: expected a number; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "born", "operator": "DATE_AFTER", "value": "2022-01-29T13:00:00Z"}]}"#,
                "error: /features/0/strategies/0/constraints/0/contextName: dates are compared with currentTime only; the strategy applies to no user"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "currentTime", "operator": "DATE_AFTER", "value": "today"}]}"#,
                "error: /features/0/strategies/0/constraints/0/value: expected a date and time (RFC 3339); the strategy applies to no user"
            ),
        ]
    )
    func refused(_ strategy: String, _ finding: String) throws {
        let imported = try features(strategy)
        #expect(imported.findings.map(\.description) == [finding])
        #expect(rule(imported) == "false")
        _ = try TargetedBehavior(json: imported.document.encoded())
    }

    @Test("say how stickiness differs, once, and let in as many users")
    func stickiness() throws {
        let rollout =
            #"{"name": "flexibleRollout", "parameters": {"rollout": "30", "stickiness": "default", "groupId": "g"}}"#
        let imported = try features("\(rollout), \(rollout)")
        #expect(
            imported.findings.map(\.message) == [
                "the same share of users is enabled as in Unleash, but other users: Unleash takes "
                    + "MurmurHash3 modulo 100, Plugboard has 100,000 buckets",
                "users without an id are disabled here; Unleash enables them at random",
            ]
        )
        var count = 0
        for number in 0..<10_000 where try values(imported, "user-\(number)") != nil { count += 1 }
        // Three standard deviations of 10,000 users at 30 %.
        #expect((3_000 - 138...3_000 + 138).contains(count))
        let nobody = try values(imported, nil)
        #expect(nobody == nil)
        let session = try values(
            features(rollout.replacing("30", with: "99")),
            nil,
            ["sessionId": "s-2"]
        )
        #expect(session == [true])
    }

    @Test("have the values of their variants, and overrides before them")
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
        let ada = try values(imported, "ada")
        #expect(ada == [["x": .number(try #require(JSON.Number("1.10")))]])
        var counts: [JSON: Int] = [:]
        for number in 0..<2_000 {
            let given = try values(imported, "user-\(number)") ?? []
            #expect(given.count == 1)
            for value in given { counts[value, default: 0] += 1 }
        }
        #expect(counts.count == 2)
        // Three standard deviations of 2,000 users at 50 %.
        #expect((1_000 - 68...1_000 + 68).contains(counts["text"] ?? 0))
    }

    @Test("have the variants of the first strategy that holds")
    func strategyVariants() throws {
        let imported = try features(
            #"""
            {"name": "userWithId", "parameters": {"userIds": "ada"}, "variants": [{"name": "gold", "weight": 1000}]},
            {"name": "userWithId", "parameters": {"userIds": "ada,bob"}}
            """#
        )
        #expect(!imported.hasErrors)
        let (ada, bob, eve) = (
            try values(imported, "ada"), try values(imported, "bob"), try values(imported, "eve")
        )
        #expect(ada == ["gold"])
        #expect(bob == [true])
        #expect(eve == nil)
    }

    @Test("are taken from a state export, of one environment, with segments")
    func stateExport() throws {
        let export = #"""
            {"version": 4,
             "features": [{"name": "f", "description": "d", "type": "release", "project": "default", "stale": false},
                          {"name": "g", "type": "release", "project": "default"}],
             "featureStrategies": [
               {"id": "s1", "featureName": "f", "environment": "production", "strategyName": "default", "name": "default", "parameters": {}, "constraints": []},
               {"id": "s2", "featureName": "f", "environment": "development", "name": "myOwn", "parameters": {}}],
             "featureEnvironments": [
               {"featureName": "f", "environment": "production", "enabled": true},
               {"featureName": "f", "environment": "development", "enabled": true},
               {"featureName": "g", "environment": "production", "enabled": false}],
             "segments": [{"id": 1, "name": "beta", "constraints": [{"contextName": "group", "operator": "IN", "values": ["beta"]}]}],
             "featureStrategySegments": [{"featureStrategyId": "s1", "segmentId": 1}],
             "tags": [], "projects": []}
            """#
        let both = try imported(export)
        #expect(
            both.findings.last?.message == "name one of the environments development, production"
        )
        let production = try imported(export, "production")
        #expect(!production.hasErrors)
        #expect(production.document.modules.map(\.name) == ["f", "g"])
        #expect(rule(production) == #"{"in":[{"cat":[{"var":"group"}]},["beta"]]}"#)
        #expect(production.document.modules.last?.others["when"] == false)
        let told = Set(production.findings.map(\.pointer))
        #expect(
            told.isSuperset(of: [
                "/tags", "/projects", "/features/0/description", "/featureEnvironments/2/enabled",
            ])
        )
        let development = try imported(export, "development")
        #expect(
            development.findings.contains {
                $0.isError && $0.pointer == "/featureStrategies/1/name"
            }
        )
        #expect(try imported(export, "staging").hasErrors)
    }

    @Test("are off where they are disabled or hang on others")
    func off() throws {
        let disabled = try imported(
            #"{"features": [{"name": "f", "enabled": false, "strategies": []}]}"#
        )
        #expect(rule(disabled) == "false")
        #expect(
            disabled.findings.map(\.description) == [
                "warning: /features/0/enabled: disabled: it applies to no user"
            ]
        )
        let child = try imported(
            #"{"features": [{"name": "f", "enabled": true, "strategies": [], "dependencies": [{"feature": "p"}]}]}"#
        )
        #expect(rule(child) == "false")
        #expect(child.hasErrors)
        let nameless = try imported(#"{"features": [{"enabled": true}]}"#)
        #expect(nameless.findings.map(\.pointer) == ["/features/0/name"])
        #expect(try imported("[]").hasErrors)
    }

    @Test("end an export whose document would be too large, with an error")
    func large() throws {
        let feature = #"{"name": "f", "enabled": true, "strategies": []}"#
        let many = Array(repeating: feature, count: 1_001).joined(separator: ",")
        let imported = try imported(#"{"features": [\#(many)]}"#)
        #expect(
            imported.findings.map(\.message) == [
                "in the resulting document: /1000: more than 1000 modules"
            ]
        )
    }
}
