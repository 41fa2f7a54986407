import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of Unleash constraints")
struct UnleashConstraintTests: UnleashFeatures {
    @Test(
        "each constraint operator has its rule",
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
        let imported = try constrained(members)
        #expect(rule(imported) == expected)
        #expect(imported.findings.isEmpty)
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
        "a value that Unleash's clients read differently has a warning",
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
}
