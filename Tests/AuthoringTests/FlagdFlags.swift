import Authoring
import Behaviors
import JSONCodec
import Targeting

/// Flags in flagd's format, and the values that their import serves.
protocol FlagdFlags {}

extension FlagdFlags {
    func imported(_ text: String) throws -> ImportedBehavior {
        .flagd(try JSON(parsing: text.utf8))
    }

    /// The values that a context is given, of each flag.
    func values(
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
}
