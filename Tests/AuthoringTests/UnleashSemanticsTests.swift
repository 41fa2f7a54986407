import Authoring
import Behaviors
import Foundation
import JSONCodec
import Targeting
import Testing

/// A checkout of github.com/Unleash/client-specification.
private let unleashSpecification =
    ProcessInfo.processInfo.environment["UNLEASH_CLIENT_SPECIFICATION"]

@Suite("Users selected by imported Unleash constraints")
struct UnleashSemanticsTests: UnleashFeatures {
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
