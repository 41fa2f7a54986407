import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of flagd rules")
struct FlagdRuleTests: FlagdFlags {
    @Test("fractional splits users like flagd, by the flag's key and the targeting key")
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

    @Test("an operation of flagd that can't be evaluated is null, as in flagd")
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

    @Test("an evaluator that refers to itself is an error")
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
