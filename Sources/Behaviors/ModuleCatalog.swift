/// The modules that behaviors can use.
///
/// ```swift
/// let catalog = ModuleCatalog("GenericProtocol") { MyFirstModule.self; MyThirdModule.self }
/// ```
/// contains `GenericProtocol.MyFirstModule` and `MyFirstModule`. Of several modules with one name,
/// the first wins.
public struct ModuleCatalog: Sendable {
    private var modules: [String: any Module.Type] = [:]

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - prefix: an optional prefix of module names, before a dot, like the app's name in the
    ///     runtime names of its classes.
    ///   - modules: the modules' types.
    public init(
        _ prefix: String? = nil,
        @ModuleListBuilder modules: () -> [any Module.Type]
    ) {
        for module in modules() {
            let name = module.moduleName
            for name in [name] + (prefix.map { ["\($0).\(name)"] } ?? []) {
                self.modules[name] = self.modules[name] ?? module
            }
        }
    }

    /// The names in the catalog, sorted.
    public var names: [String] { modules.keys.sorted() }

    /// Performs a document's actions in order.
    ///
    /// Each module's entry has its own instance.
    ///
    /// An action that fails is skipped and reported; the next ones run nevertheless. Once the task
    /// is cancelled, all remaining actions are skipped. A module or action with a `"when"` rule is
    /// skipped too: `TargetedBehavior` evaluates rules.
    ///
    /// - Parameter document: the behavior.
    /// - Returns: calls and skips, each in the document's order.
    public func perform(_ document: BehaviorDocument) async -> BehaviorReport {
        await perform(document, observer: nil)
    }

    /// Performs a document's actions, and informs an observer before each call.
    package func perform(
        _ document: BehaviorDocument,
        observer: (any CallObserver)?
    ) async -> BehaviorReport {
        var report = BehaviorReport()
        for (index, entry) in document.modules.enumerated() {
            let reason: SkipReason?
            if Task.isCancelled {
                reason = .cancelled
            } else if entry.others["when"] != nil {
                reason = .ruleNotEvaluated
            } else if let module = modules[entry.name] {
                reason = observer?.allows(module.moduleName) == false ? .quarantined : nil
                if reason == nil {
                    await perform(entry, at: index, as: module, observer, &report)
                }
            } else {
                reason = .noSuchModule
            }
            if let reason { report.skip(entry, at: index, reason) }
        }
        return report
    }

    private func perform<M: Module>(
        _ entry: BehaviorModule,
        at index: Int,
        as type: M.Type,
        _ observer: (any CallObserver)?,
        _ report: inout BehaviorReport
    ) async {
        // The module's own code runs here, too.
        observer?.begin(M.moduleName, "init")
        let module = M()
        for (place, action) in entry.actions.enumerated() {
            if let reason = await refusal(of: action, by: module, observer) {
                report.skipped.append(
                    BehaviorReport.Skip(
                        module: entry.name,
                        function: action.function,
                        pointer: "/\(index)/actions/\(place)",
                        reason: reason
                    )
                )
            } else {
                report.performed.append(
                    BehaviorReport.Call(module: entry.name, function: action.function)
                )
            }
        }
    }

    /// Performs an action; returns the reason for a skip, or nil.
    private func refusal<M: Module>(
        of action: BehaviorAction,
        by module: M,
        _ observer: (any CallObserver)?
    ) async -> SkipReason? {
        guard !Task.isCancelled else { return .cancelled }
        guard action.others["when"] == nil else { return .ruleNotEvaluated }
        guard let function = M.functions.first(where: { $0.name == action.function }) else {
            return .noSuchFunction
        }
        observer?.begin(M.moduleName, function.name)
        do {
            try await function.call(module, action.value)
            return nil
        } catch let refusal as Refusal {
            return refusal.reason
        } catch is CancellationError where Task.isCancelled {
            return .cancelled
        } catch {
            return .threw("\(error)")
        }
    }
}

/// An observer of a document's calls, which can name the function of a crash.
///
/// Names are those of the modules' types, whatever prefix a document uses.
package protocol CallObserver: Sendable {
    /// Returns whether a module may run.
    func allows(_ module: String) -> Bool

    /// Records a call before it begins; a module's creation is the function `init`.
    func begin(_ module: String, _ function: String)
}

/// Lists modules, one type a line, with `if`, `else` and `for`.
@resultBuilder
public enum ModuleListBuilder {
    /// A module.
    public static func buildExpression(_ module: any Module.Type) -> [any Module.Type] { [module] }

    /// Several modules.
    public static func buildExpression(_ modules: [any Module.Type]) -> [any Module.Type] {
        modules
    }

    /// All lines.
    public static func buildBlock(_ lines: [any Module.Type]...) -> [any Module.Type] {
        lines.flatMap { $0 }
    }

    /// The lines of an `if` without an `else`.
    public static func buildOptional(_ lines: [any Module.Type]?) -> [any Module.Type] {
        lines ?? []
    }

    /// The lines of an `if`.
    public static func buildEither(first lines: [any Module.Type]) -> [any Module.Type] { lines }

    /// The lines of an `else`.
    public static func buildEither(second lines: [any Module.Type]) -> [any Module.Type] { lines }

    /// The lines of a `for`.
    public static func buildArray(_ lines: [[any Module.Type]]) -> [any Module.Type] {
        lines.flatMap { $0 }
    }

    /// The lines of an `if #available`.
    public static func buildLimitedAvailability(
        _ lines: [any Module.Type]
    ) -> [any Module.Type] { lines }
}
