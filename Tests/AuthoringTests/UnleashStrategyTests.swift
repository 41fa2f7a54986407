import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of Unleash strategies")
struct UnleashStrategyTests: UnleashFeatures {
    @Test(
        "each strategy of Unleash has its rule",
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
        "an unsupported part is reported with its location, and its strategy applies to no user",
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

    @Test("a stickiness that differs has one warning, and as many users are enabled")
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
        for number in 0..<10_000 where try served(imported, "user-\(number)") != nil { count += 1 }
        // Three standard deviations of 10,000 users at 30 %.
        #expect((3_000 - 138...3_000 + 138).contains(count))
        let nobody = try served(imported, nil)
        #expect(nobody == nil)
        let session = try served(
            features(rollout.replacing("30", with: "99")),
            nil,
            ["sessionId": "s-2"]
        )
        #expect(session == [true])
    }

    @Test(
        "a member of another type is an error, and the strategy applies to no user",
        arguments: [
            (#"{"name": "default", "constraints": {}}"#, "/constraints"),
            (#"{"name": "default", "segments": 1}"#, "/segments"),
            (#"{"name": "default", "disabled": "true"}"#, "/disabled"),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "NOT_IN", "values": [5]}]}"#,
                "/constraints/0/values/0"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "NOT_IN", "values": "b"}]}"#,
                "/constraints/0/values"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "a", "operator": "IN", "values": ["b"], "inverted": "yes"}]}"#,
                "/constraints/0/inverted"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "v", "operator": "SEMVER_GT", "value": "1.2"}]}"#,
                "/constraints/0/value"
            ),
            (
                #"{"name": "default", "constraints": [{"contextName": "v", "operator": "SEMVER_EQ", "value": "v2.0.0"}]}"#,
                "/constraints/0/value"
            ),
            (#"{"name": "userWithId", "parameters": {"userIds": ["a"]}}"#, "/parameters/userIds"),
            (#"{"name": "remoteAddress", "parameters": {"IPs": 1}}"#, "/parameters/IPs"),
            (
                #"{"name": "flexibleRollout", "parameters": {"rollout": "50", "stickiness": "a.b"}}"#,
                "/parameters/stickiness"
            ),
        ]
    )
    func wrongTypes(_ strategy: String, _ place: String) throws {
        let imported = try features(strategy)
        #expect(imported.findings.map(\.pointer) == ["/features/0/strategies/0" + place])
        #expect(imported.hasErrors && imported.isPublishable)
        #expect(try values(imported, ["targetingKey": "a", "a": "c", "v": "3.0.0"]) == nil)
    }

    // Clients hash the text of the sticky value; only a missing or empty one disables the feature.
    @Test("a roll-out distinguishes users by 0 and false, and leaves out missing and empty values")
    func stickyValues() throws {
        let all = try features(
            #"{"name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "n"}}"#
        )
        let most = try features(
            #"{"name": "flexibleRollout", "parameters": {"rollout": "99", "stickiness": "n", "groupId": "f"}}"#
        )
        for value: JSON in [0, false, "0", "a"] {
            #expect(try values(all, ["targetingKey": "ada", "n": value]) == [true])
            // 99 % of the values, whichever user has it.
            let one = try values(most, ["targetingKey": "ada", "n": value])
            #expect(try values(most, ["targetingKey": "bob", "n": value]) == one)
        }
        for context: JSON in [
            ["targetingKey": "ada"], ["targetingKey": "ada", "n": ""],
            ["targetingKey": "ada", "n": .null],
        ] {
            #expect(try values(all, context) == nil)
            #expect(try values(most, context) == nil)
        }
    }

    @Test("a roll-out's percentage is a whole number, as in Unleash", arguments: ["0.9", "0"])
    func percent(_ percent: String) throws {
        let imported = try features(
            #"{"name": "flexibleRollout", "parameters": {"rollout": "\#(percent)", "stickiness": "userId"}}"#
        )
        #expect(imported.document.modules.first?.others["when"] == false)
    }
}
