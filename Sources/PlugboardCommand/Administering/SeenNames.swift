import Behaviors
import JSONCodec
import Plugboard

/// The modules, functions and environments that a server has, to find misspelled names in a file.
struct SeenNames {
    /// A name that the server doesn't have.
    struct Finding: Equatable {
        /// Its JSON Pointer in the document.
        var pointer: String
        var message: String
        /// Whether a similar name exists, so that the name is probably misspelled.
        var isMisspelled: Bool
    }

    let known: ListModules.Output
    /// The names that are new: `Home`, `Home/show`.
    var new: Set<String> = []

    /// Returns the unknown names of a document; `base` is the JSON Pointer of its modules.
    ///
    /// A name without a similar one may be new.
    func findings(in document: BehaviorDocument, at base: String) -> [Finding] {
        // Other documents may have the names.
        guard known.isComplete else { return [] }
        var reported: Set<String> = []
        return document.modules.enumerated().flatMap { place, module in
            findings(in: module, at: "\(base)/\(place)", &reported)
        }
    }

    private func findings(
        in module: BehaviorModule,
        at pointer: String,
        _ reported: inout Set<String>
    ) -> [Finding] {
        guard let seen = known.modules.first(where: { $0.name == module.name }) else {
            guard !new.contains(module.name), reported.insert(module.name).inserted else {
                return []
            }
            return [
                finding(
                    pointer + "/name",
                    "no live document has the module \(module.name)",
                    module.name,
                    known.modules.map(\.name)
                )
            ]
        }
        return module.actions.enumerated().compactMap { place, action in
            let name = "\(module.name)/\(action.function)"
            guard !seen.functions.contains(action.function), !new.contains(name),
                !new.contains(module.name), reported.insert(name).inserted
            else { return nil }
            return finding(
                "\(pointer)/actions/\(place)/func",
                "no live document calls \(name)",
                action.function,
                seen.functions
            )
        }
    }

    /// Returns the finding for an environment's name; nil if the server has it.
    func finding(environment: String) -> Finding? {
        guard !known.environments.contains(environment) else { return nil }
        return finding(
            "",
            "there is no environment \(environment)",
            environment,
            known.environments
        )
    }

    private func finding(
        _ pointer: String,
        _ message: String,
        _ name: String,
        _ names: [String]
    ) -> Finding {
        let nearest = nearestName(to: name, among: names)
        return Finding(
            pointer: pointer,
            message: message + (nearest.map { ", perhaps \($0)" } ?? ""),
            isMisspelled: nearest != nil
        )
    }
}
