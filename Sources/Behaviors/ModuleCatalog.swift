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
    /// is cancelled, all remaining actions are skipped.
    ///
    /// - Parameter document: the behavior.
    /// - Returns: calls and skips, each in the document's order.
    public func perform(_ document: BehaviorDocument) async -> BehaviorReport {
        var report = BehaviorReport()
        for (index, entry) in document.modules.enumerated() {
            if let module = modules[entry.name] {
                await perform(entry, at: index, as: module, &report)
            } else {
                report.skip(entry, at: index, Task.isCancelled ? .cancelled : .noSuchModule)
            }
        }
        return report
    }

    private func perform<M: Module>(
        _ entry: BehaviorModule,
        at index: Int,
        as type: M.Type,
        _ report: inout BehaviorReport
    ) async {
        let module = M()
        for (place, action) in entry.actions.enumerated() {
            if let reason = await refusal(of: action, by: module) {
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
        by module: M
    ) async -> SkipReason? {
        guard !Task.isCancelled else { return .cancelled }
        guard let function = M.functions.first(where: { $0.name == action.function }) else {
            return .noSuchFunction
        }
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
