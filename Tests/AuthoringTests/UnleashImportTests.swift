import Authoring
import Behaviors
import JSONCodec
import Targeting
import Testing

@Suite("Import of Unleash features")
struct UnleashImportTests: UnleashFeatures {
    @Test("a state export is imported for one environment, with its segments")
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

    @Test("a disabled feature and one with dependencies apply to no user")
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

    @Test("an export whose document would be too large is an error")
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

    @Test("a document that every server rejects isn't publishable")
    func tooLarge() throws {
        let value = String(repeating: "x", count: 1 << 20)
        let imported = try features(
            #"{"name": "default"}"#,
            #", "variants": [{"name": "a", "weight": 1, "payload": {"type": "string", "value": "\#(value)"}}]"#
        )
        #expect(!imported.isPublishable)
        #expect(imported.findings.last?.message.contains("1 MiB at most") == true)
    }
}
