import Authoring
import Behaviors
import Foundation
import JSONCodec
import Targeting
import Testing

/// A checkout of github.com/Unleash/client-specification.
private let unleashSpecification =
    ProcessInfo.processInfo.environment["UNLEASH_CLIENT_SPECIFICATION"]

@Suite("Imported constraints select the users that Unleash's clients select")
struct UnleashSemanticsTests {
    private func features(_ strategies: String, _ others: String = "") throws -> ImportedBehavior {
        let text =
            #"{"features": [{"name": "f", "enabled": true, "strategies": [\#(strategies)]\#(others)}]}"#
        return .unleash(try JSON(parsing: text.utf8))
    }

    private func constrained(_ members: String) throws -> ImportedBehavior {
        try features(#"{"name": "default", "constraints": [{\#(members)}]}"#)
    }

    /// The values that a context gets; nil if the feature is disabled for it.
    private func values(
        _ imported: ImportedBehavior,
        _ context: JSON,
        timestamp: Int64? = nil
    ) throws -> [JSON]? {
        let behavior = try TargetedBehavior(imported.document)
        let context = try TargetingContext(context, timestamp: timestamp)
        let evaluation = behavior.evaluate(context)
        return behavior.behavior(of: evaluation.variant).modules.first.map {
            $0.actions.compactMap(\.value)
        }
    }

    // Unleash's Go, Java and Rust clients parse a decimal number; other values match no comparison.
    @Test(
        "NUM_* matches numbers and decimal texts only",
        arguments: [
            (#"17"#, true), (#""17""#, true), (#""17.5""#, true), (#""-3e0""#, true),
            (#""0""#, true), (#"0"#, true), (#""18""#, false), (#"18"#, false),
            (#""""#, false), (#"" ""#, false), (#""0x10""#, false), (#"true"#, false),
            (#"false"#, false), (#""true""#, false), (#"null"#, false), (#""17 years""#, false),
            (#"[]"#, false), (#"{}"#, false), (#""NaN""#, false),
        ]
    )
    func numbers(_ value: String, _ isBelow: Bool) throws {
        let context: JSON = ["targetingKey": "ada", "age": try JSON(parsing: value.utf8)]
        let plain = try constrained(#""contextName": "age", "operator": "NUM_LT", "value": "18""#)
        #expect(plain.findings.isEmpty)
        #expect((try values(plain, context) != nil) == isBelow)
        let inverted = try constrained(
            #""contextName": "age", "operator": "NUM_LT", "value": "18", "inverted": true"#
        )
        #expect((try values(inverted, context) != nil) == !isBelow)
    }

    @Test(
        "NUM_EQ, NUM_GTE and NUM_LTE of 0 match no missing or empty value",
        arguments: ["NUM_EQ", "NUM_GTE", "NUM_LTE"]
    )
    func zero(_ name: String) throws {
        let imported = try constrained(
            #""contextName": "n", "operator": "\#(name)", "value": "0""#
        )
        for odd: JSON in [
            [:], ["n": ""], ["n": " "], ["n": false], ["n": .null], ["n": [] as JSON],
        ] {
            #expect(try values(imported, odd) == nil)
        }
        #expect(try values(imported, ["n": "0.0"]) == [true])
        #expect(try values(imported, ["n": 0]) == [true])
    }

    // Node's resolveContextValue: String(value); a missing value is in no list.
    @Test("IN, NOT_IN and STR_* compare a value's text")
    func texts() throws {
        let isIn = try constrained(
            #""contextName": "n", "operator": "IN", "values": ["0", "5", "true"]"#
        )
        let isNotIn = try constrained(
            #""contextName": "n", "operator": "NOT_IN", "values": ["0", "5", "true"]"#
        )
        for value: JSON in ["5", 5, 0, true] {
            #expect(try values(isIn, ["n": value]) == [true])
            #expect(try values(isNotIn, ["n": value]) == nil)
        }
        for context: JSON in [[:], ["n": ""], ["n": "05"], ["n": .null], ["n": false]] {
            #expect(try values(isIn, context) == nil)
            #expect(try values(isNotIn, context) == [true])
        }
        for name in ["STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS"] {
            let text = try constrained(
                #""contextName": "n", "operator": "\#(name)", "values": ["1"]"#
            )
            #expect(try values(text, ["n": 1]) == [true])
            #expect(try values(text, [:]) == nil)
        }
    }

    @Test(
        "values that clients read differently have a warning",
        arguments: [
            (#"["a", ""]"#, "/1"), (#"["  ", "a"]"#, "/0"), (#"[" a"]"#, "/0"),
        ]
    )
    func spaces(_ values: String, _ place: String) throws {
        for name in ["IN", "STR_STARTS_WITH", "STR_CONTAINS", "STR_ENDS_WITH"] {
            let imported = try constrained(
                #""contextName": "n", "operator": "\#(name)", "values": \#(values)"#
            )
            let pointer = "/features/0/strategies/0/constraints/0/values" + place
            #expect(imported.findings.map(\.pointer) == [pointer])
            #expect(!imported.hasErrors)
            #expect(try self.values(imported, ["n": ""]) == nil)
            #expect(try self.values(imported, ["n": "a"]) == [true])
        }
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

    @Test(
        "a feature without a valid state or list of strategies applies to no user",
        arguments: [
            #"{"name": "f", "strategies": []}"#,
            #"{"name": "f", "enabled": "yes", "strategies": []}"#,
            #"{"name": "f", "enabled": true, "strategies": {}}"#,
        ]
    )
    func states(_ feature: String) throws {
        let imported = ImportedBehavior.unleash(
            try JSON(parsing: #"{"features": [\#(feature)]}"#.utf8)
        )
        #expect(imported.hasErrors)
        #expect(try values(imported, ["targetingKey": "a"]) == nil)
    }

    // Node's semver.valid rejects v1.4.0 and 1.4; sem_ver accepts both.
    @Test("SEMVER_* warns of versions that only Unleash rejects")
    func versions() throws {
        let imported = try constrained(
            #""contextName": "v", "operator": "SEMVER_GT", "value": "1.2.3""#
        )
        #expect(
            imported.findings.map(\.description) == [
                "warning: /features/0/strategies/0/constraints/0/operator: users with a version "
                    + "such as 1.4 or v1.4.0 match here, as 1.4.0; in Unleash they don't"
            ]
        )
        #expect(try values(imported, ["v": "1.2.4"]) == [true])
        for none: JSON in [[:], ["v": "1.2.3"], ["v": ""], ["v": "new"]] {
            #expect(try values(imported, none) == nil)
        }
    }

    // Clients hash the text of the sticky value; only a missing or empty one disables the feature.
    @Test("a roll-out distinguishes users by 0 and false, and leaves out missing and empty values")
    func stickiness() throws {
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

    @Test("the first variant's stickiness applies to all, and another one has a warning")
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

    @Test("a strategy's variants have the strategy's stickiness (getResult)")
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

    @Test("a document that no server accepts isn't publishable")
    func tooLarge() throws {
        let value = String(repeating: "x", count: 1 << 20)
        let imported = try features(
            #"{"name": "default"}"#,
            #", "variants": [{"name": "a", "weight": 1, "payload": {"type": "string", "value": "\#(value)"}}]"#
        )
        #expect(!imported.isPublishable)
        #expect(imported.findings.last?.message.contains("1 MiB at most") == true)
    }

    @Test(
        "Unleash's client specification: equal results, or a finding and a disabled feature",
        .enabled(if: unleashSpecification != nil),
        arguments: [
            "01-simple-examples", "02-user-with-id-strategy", "06-remote-address-strategy",
            "07-multiple-strategies", "09-strategy-constraints",
            "11-strategy-constraints-edge-cases", "13-constraint-operators",
            "14-constraint-semver-operators", "15-global-constraints",
        ]
    )
    func conformance(_ name: String) throws {
        let folder = try #require(unleashSpecification)
        let data = try Data(
            contentsOf: URL(fileURLWithPath: "\(folder)/specifications/\(name).json")
        )
        let specification = try JSON(parsing: Array(data))
        let imported = ImportedBehavior.unleash(try #require(specification["state"]))
        let behavior = try TargetedBehavior(imported.document)
        for test in specification["tests"]?.array ?? [] {
            let given = test["context"]?.object ?? [:]
            var members = given["properties"]?.object ?? [:]
            for (name, value) in given where name != "properties" {
                members[name == "userId" ? "targetingKey" : name] = value
            }
            let time = given["currentTime"]?.string.flatMap { Timestamp.seconds($0) }
            let context = try TargetingContext(.object(members), timestamp: time.map { Int64($0) })
            let served = behavior.behavior(of: behavior.evaluate(context).variant)
            let feature = test["toggleName"]?.string ?? ""
            let isEnabled = served.modules.contains { $0.name == feature }
            let place = specification["state"]?["features"]?.array?.firstIndex {
                $0["name"]?.string == feature
            }
            let isUnsupported = imported.findings.contains { finding in
                finding.isError
                    && finding.pointer.hasPrefix("/features/\(place.map(String.init) ?? "?")/")
            }
            let expected = test["expectedResult"]?.bool ?? false
            #expect(isEnabled == expected || isUnsupported && !isEnabled, "\(test)")
        }
    }
}
