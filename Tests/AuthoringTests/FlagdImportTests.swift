import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Flags that are taken from flagd")
struct FlagdImportTests {
    private func imported(_ text: String) throws -> ImportedBehavior {
        .flagd(try JSON(parsing: text.utf8))
    }

    /// The values that a context is given, of each flag.
    private func values(
        _ imported: ImportedBehavior,
        _ user: String?,
        _ properties: JSON.Object = [:]
    ) throws -> [String: [JSON]] {
        let behavior = try TargetedBehavior(imported.document)
        let context = try TargetingContext(targetingKey: user, properties: properties)
        let served = behavior.behavior(of: behavior.evaluate(context).variant)
        return Dictionary(
            served.modules.map { ($0.name, $0.actions.compactMap(\.value)) },
            uniquingKeysWith: +
        )
    }

    @Test("have the variants that flagd gives")
    func variants() throws {
        let imported = try imported(
            #"""
            {
              "$schema": "https://flagd.dev/schema/v0/flags.json",
              "flags": {
                "plain": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"},
                "closed": {"state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on"},
                "color": {
                  "state": "ENABLED",
                  "variants": {"red": "#b91c1c", "green": "#0284c7", "grey": "#4b5563"},
                  "defaultVariant": "grey",
                  "targeting": {"if": [
                    {"$ref": "emailWithFaas"},
                    {"fractional": [["red", 50], ["green", 50]]}
                  ]}
                },
                "short": {
                  "state": "ENABLED", "variants": {"true": 1, "false": 0}, "defaultVariant": "false",
                  "targeting": {"starts_with": [{"var": "$flagd.flagKey"}, "sh"]}
                },
                "beta": {
                  "state": "ENABLED", "variants": {"new": {"a": 1.5}, "old": null}, "defaultVariant": "old",
                  "targeting": {"if": [{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}, "new", null]}
                }
              },
              "$evaluators": {"emailWithFaas": {"in": ["@faas.com", {"var": ["email"]}]}}
            }
            """#
        )
        #expect(
            imported.findings.map(\.description) == [
                "warning: /flags/plain/variants/on: no rule selects this variant; it is skipped",
                "warning: /flags/closed/state: disabled: it applies to no user",
            ]
        )
        let nobody = try values(imported, nil)
        #expect(nobody == ["plain": [false], "color": ["#4b5563"], "short": [1], "beta": [.null]])
        let other = try values(imported, "ada", ["email": "ada@faas.com", "version": "2.1.0"])
        #expect(other["beta"] == [["a": 1.5]])
        #expect(other["color"]?.count == 1)
        #expect(other["color"] != ["#4b5563"])
        let beta = imported.document.modules.last?.actions.map { $0.others["when"] }
        let rule: JSON = ["sem_ver": [["var": "version"], ">=", "2.0.0"]]
        #expect(beta == [rule, ["!": rule]])
    }

    @Test("split users as flagd splits them: by the flag's key and the targeting key")
    func fractions() throws {
        let targeting = #"{"fractional": [["a", 30], ["b", 70]]}"#
        let imported = try imported(
            #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": "a", "b": "b"}, "targeting": \#(targeting)}}}"#
        )
        #expect(imported.findings.isEmpty)
        let rule = try TargetingRule(JSON(parsing: targeting.utf8), key: "f")
        for number in 0..<200 {
            let user = "user-\(number)"
            let expected = rule.evaluate(try TargetingContext(targetingKey: user)).value
            let given = try values(imported, user)
            #expect(given["f"] == [expected])
        }
        let nobody = try values(imported, nil)
        #expect(nobody["f"] == [])
    }

    @Test(
        "with unsupported parts are reported with the place, and are for nobody",
        arguments: [
            ("[]", "error: /flags: expected an object of flags"),
            ("{}", "error: /flags: expected an object of flags"),
            (
                #"{"flags": {"f": {}}}"#,
                "error: /flags/f/variants: expected an object of variants; error: /flags/f/state: expected ENABLED or DISABLED; it applies to no user"
            ),
            (
                #"{"flags": {"f": {"state": "ON", "variants": {"a": 1}, "defaultVariant": "a"}}}"#,
                "error: /flags/f/state: expected ENABLED or DISABLED; it applies to no user"
            ),
            (
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "b"}}}"#,
                "error: /flags/f/defaultVariant: there is no such variant; it applies to no user; warning: /flags/f/variants/a: no rule selects this variant; it is skipped"
            ),
            (
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": {"if": [{"sem-ver": [1]}, "a"]}}}}"#,
                "error: /flags/f/targeting/if/0/sem-ver: no such operation; the flag applies to no user"
            ),
            (
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": {"if": [{"$ref": "x"}, "a"]}}}}"#,
                "error: /flags/f/targeting/if/0/$ref: there is no such evaluator; the flag applies to no user"
            ),
            (
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": 7}}}"#,
                "error: /flags/f/targeting: expected a rule; the default variant applies to no user; warning: /flags/f/variants/a: no rule selects this variant; it is skipped"
            ),
            (
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "metadata": {"x": 1}}}, "metadata": {}}"#,
                "warning: /metadata: the file's metadata is ignored; warning: /flags/f/metadata: a flag's metadata is ignored"
            ),
        ]
    )
    func refused(_ text: String, _ findings: String) throws {
        let imported = try imported(text)
        #expect(imported.findings.map(\.description).joined(separator: "; ") == findings)
        _ = try TargetedBehavior(json: imported.document.encoded())
    }

    @Test("have an operation of flagd's own be null, as flagd has it, where it can't be evaluated")
    func nulls() throws {
        for (operation, place) in [
            (#"{"sem_ver": ["1.0.0", "===", "1.0.0"]}"#, "sem_ver"),
            (#"{"sem_ver": ["1.0.0", "="]}"#, "sem_ver"),
            (#"{"starts_with": ["abc"]}"#, "starts_with"),
            (#"{"ends_with": [{"var": "email"}, 1]}"#, "ends_with"),
            (#"{"fractional": [["on", 0], ["off", 0]]}"#, "fractional"),
        ] {
            let imported = try imported(
                #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off", "targeting": \#(operation)}, "g": {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off", "targeting": {"if": [\#(operation), "off", "on"]}}}}"#
            )
            #expect(!imported.hasErrors)
            #expect(
                imported.findings.map(\.description.firstPart) == [
                    "warning: /flags/f/targeting/\(place)",
                    "warning: /flags/g/targeting/if/0/\(place)",
                ],
                "\(operation)"
            )
            #expect(try values(imported, "ada") == ["f": [0], "g": [1]], "\(operation)")
        }
        // What is wrong in it and isn't its own is an error still.
        let inner = try imported(
            #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on", "targeting": {"starts_with": [{"nope": []}, "a"]}}}}"#
        )
        #expect(inner.hasErrors)
        #expect(try values(inner, "ada") == ["f": []])
    }

    @Test("may have evaluators that lead to themselves, which end")
    func cycle() throws {
        let imported = try imported(
            #"""
            {"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "targeting": {"if": [{"$ref": "x"}, "a"]}}},
             "$evaluators": {"x": {"and": [{"$ref": "x"}, {"$ref": "x"}]}}}
            """#
        )
        #expect(imported.hasErrors)
        #expect(imported.document.modules.first?.actions.isEmpty == true)
    }
}

extension String {
    /// Up to what is said of a place.
    fileprivate var firstPart: String { split(separator: ": ").prefix(2).joined(separator: ": ") }
}
