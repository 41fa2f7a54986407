import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of flagd flags")
struct FlagdImportTests: FlagdFlags {
    @Test("an imported flag serves the variants that flagd serves")
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

    @Test(
        "an unsupported part is reported with its location, and its flag applies to no user",
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
}
