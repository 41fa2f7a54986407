import Authoring
import Behaviors
import JSONCodec
import Targeting

/// Features in Unleash's format, and the values that their import serves.
protocol UnleashFeatures {}

extension UnleashFeatures {
    func imported(_ text: String, _ environment: String? = nil) throws -> ImportedBehavior {
        .unleash(try JSON(parsing: text.utf8), environment: environment)
    }

    func features(_ strategies: String, _ others: String = "") throws -> ImportedBehavior {
        let text =
            #"{"features": [{"name": "f", "enabled": true, "strategies": [\#(strategies)]\#(others)}]}"#
        return .unleash(try JSON(parsing: text.utf8))
    }

    func constrained(_ members: String) throws -> ImportedBehavior {
        try features(#"{"name": "default", "constraints": [{\#(members)}]}"#)
    }

    /// The rule of the one feature, as text; `everybody` where it has none.
    func rule(_ imported: ImportedBehavior) -> String {
        imported.document.modules.first?.others["when"]?.description ?? "everybody"
    }

    /// The values that a user gets; nil if the feature is disabled for them.
    func served(
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

    /// The values that a context gets; nil if the feature is disabled for it.
    func values(
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
}
