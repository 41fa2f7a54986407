@testable import BehaviorClient

/// An app whose previous run ended somehow: the guard, its marks and the documents, without files.
struct GuardedApp {
    /// A run's end, as the mark and the platform show it.
    enum End: CaseIterable {
        case crashInA, crashInB, crashBetweenCalls, crashInBackground, crashLater, crashBeforeStart
        case clean, swiped, outOfMemory, debugger, update, lostMark

        var isCrash: Bool {
            switch self {
            case .crashInA, .crashInB, .crashBetweenCalls: true
            default: false
            }
        }

        /// Whether the run proves that its document lets the app live.
        var isSurvival: Bool { self == .clean || self == .crashLater }
    }

    var crashGuard = CrashGuard()
    var mark: RunMark?
    var lastEnd = Lifecycle.End.unknown
    var newest: String? = "new"
    var earlier = ["old"]

    /// Starts, applies the chosen document and ends the run; returns what was applied.
    @discardableResult
    mutating func run(_ end: End) -> AppliedDocument {
        var mark = crashGuard.start(after: mark, Lifecycle(lastEnd: lastEnd))
        let document = crashGuard.document(newest: newest, earlier: earlier, bundled: "app")
        lastEnd = .crash
        if end != .crashBeforeStart {
            crashGuard.apply(document, &mark)
            switch end {
            case .crashInA: mark.begin(ModuleCall(module: "A", function: "f"))
            case .crashInB: mark.begin(ModuleCall(module: "B", function: "g"))
            default:
                mark.begin(ModuleCall(module: "A", function: "f"))
                mark.end()
            }
            switch end {
            case .crashInBackground: mark.change(.background)
            case .crashLater: crashGuard.settle(&mark)
            case .clean: mark.change(.cleanStop)
            case .swiped: lastEnd = .swiped
            case .outOfMemory: lastEnd = .outOfMemory
            case .debugger: lastEnd = .debugger
            case .update: lastEnd = .update
            default: break
            }
        }
        self.mark = end == .lostMark ? nil : mark
        return document
    }

    /// Starts without a further end; returns the decision.
    mutating func start() -> AppliedDocument {
        mark = crashGuard.start(after: mark, Lifecycle(lastEnd: lastEnd))
        return crashGuard.document(newest: newest, earlier: earlier, bundled: "app")
    }

    func runs(_ module: String, in revision: String) -> Bool {
        !crashGuard.isQuarantined(module, in: revision)
    }
}
