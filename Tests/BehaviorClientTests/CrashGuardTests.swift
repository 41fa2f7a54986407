import Testing

@testable import BehaviorClient

@Suite("The crash guard")
struct CrashGuardTests {
    @Test("quarantines the running module after two crashes, for that revision alone")
    func quarantine() {
        var app = GuardedApp()
        app.run(.crashInA)
        #expect(app.start().source == .newest)
        #expect(app.runs("A", in: "new"))
        app.run(.crashInA)
        #expect(app.start().source == .newest)
        #expect(!app.runs("A", in: "new"))
        #expect(app.runs("B", in: "new") && app.runs("A", in: "old") && app.runs("A", in: "newer"))
        #expect(
            app.crashGuard.reports.map(\.description) == [
                "crash (A.f) in new", "crash (A.f) in new", "quarantine of A (A.f) in new",
            ]
        )
    }

    @Test("applies the previous document after three crashes, the bundled one after four")
    func fallback() {
        var app = GuardedApp()
        let ends: [GuardedApp.End] = [.crashInA, .crashInA, .crashInB]
        #expect(ends.map { app.run($0).source } == [.newest, .newest, .newest])
        #expect(app.run(.crashInB).revision == "old")
        let fifth = app.start()
        #expect(fifth == AppliedDocument(newest: "new", revision: "app", source: .bundled))
    }

    @Test("applies the previous document at once if no module was running")
    func unnamed() {
        var app = GuardedApp()
        app.run(.crashBetweenCalls)
        app.run(.crashBetweenCalls)
        #expect(app.start().source == .previous)
        #expect(app.crashGuard.verdict(on: "new").quarantined.isEmpty)
    }

    @Test("quarantines in the bundled document, then applies nothing")
    func bundled() {
        var app = GuardedApp(newest: nil, earlier: [])
        app.run(.crashInA)
        app.run(.crashInA)
        #expect(app.start().source == .bundled)
        #expect(!app.runs("A", in: "app"))
        app.run(.crashInB)
        #expect(app.start().source == .bundled)
        #expect(!app.runs("B", in: "app"))
        app.run(.crashBetweenCalls)
        #expect(app.start().source == .nothing)
    }

    @Test("forgets its decisions for a later revision, and has them if the bad one returns")
    func laterRevision() {
        var app = GuardedApp()
        for end in [GuardedApp.End.crashInA, .crashInA, .crashInB, .crashInB] { app.run(end) }
        app.newest = "newer"
        app.earlier = ["new", "old"]
        #expect(app.start().source == .newest)
        #expect(app.crashGuard.verdict(on: "newer") == CrashGuard.Verdict(revision: "newer"))
        app.run(.crashInA)
        #expect(app.start().source == .newest)
        #expect(app.runs("A", in: "newer"))
        app.newest = "new"
        #expect(app.start().source == .bundled)
    }

    @Test("prefers a previous document that survived a run, and none that was replaced itself")
    func previous() {
        var app = GuardedApp()
        app.newest = "oldest"
        app.run(.clean)
        app.newest = "new"
        app.earlier = ["old", "oldest"]
        app.run(.crashBetweenCalls)
        app.run(.crashBetweenCalls)
        #expect(app.start().revision == "oldest")
        app.run(.clean)
        app.newest = "newer"
        app.earlier = ["new", "old"]
        app.run(.crashBetweenCalls)
        app.run(.crashBetweenCalls)
        #expect(app.start().revision == "old")
    }

    @Test("judges a run once, also if the next one ends before it writes its mark")
    func once() {
        var app = GuardedApp()
        app.run(.crashInA)
        let old = app.mark
        for _ in 0..<5 {
            app.mark = old
            #expect(app.start().source == .newest)
        }
        #expect(app.crashGuard.crashes == 1)
        #expect(app.runs("A", in: "new"))
    }

    @Test("counts no end that the platform explains, in 10,000 runs")
    func harmless() {
        var app = GuardedApp()
        let ends: [GuardedApp.End] = [
            .clean, .swiped, .outOfMemory, .debugger, .update, .crashInBackground, .crashLater,
        ]
        for number in 0..<10_000 {
            let document = app.run(ends[number * 7 % 11 % ends.count])
            #expect(document.source == .newest)
        }
        #expect(app.start().source == .newest)
        #expect(app.crashGuard.verdicts.isEmpty)
        #expect(app.crashGuard.reports.isEmpty)
    }

    @Test("delivers each report once, however many come meanwhile")
    func reports() {
        var app = GuardedApp()
        app.run(.crashInA)
        _ = app.start()
        let sent = app.crashGuard.reports
        app.run(.crashInA)
        _ = app.start()
        app.crashGuard.removeReports(sent)
        #expect(app.crashGuard.reports.map(\.kind) == [.crash, .quarantine])
        for _ in 0..<100 { app.run(.crashInB) }
        #expect(app.crashGuard.reports.count <= CrashGuard.maximumReports)
        #expect(app.crashGuard.verdicts.count <= CrashGuard.maximumVerdicts)
        #expect(app.crashGuard.suspects.count <= 4)
    }

    /// Every sequence of six ends, each checked after every run against the rules' table.
    @Test("follows its rules in every sequence of ends", arguments: GuardedApp.End.allCases)
    func everySequence(first: GuardedApp.End) {
        explore(GuardedApp(), [first], depth: 5)
    }

    private func explore(_ app: GuardedApp, _ ends: [GuardedApp.End], depth: Int) {
        var app = app
        guard let last = ends.last, isPossible(last, app) else { return }
        let applied = app.run(last)
        // The end is judged at the next start.
        var next = app
        let decision = next.start()
        let count = streak(ends).count
        let rules: Bool
        if count > 1, last.isCrash, applied.source != .nothing {
            let wasRunning = last == .crashInA ? "A" : last == .crashInB ? "B" : nil
            let isQuarantined = wasRunning.map { !next.runs($0, in: applied.revision) } ?? false
            rules = isQuarantined || decision.source != applied.source
        } else {
            rules = next.crashGuard.verdicts == app.crashGuard.verdicts
        }
        let steps =
            (count < 3 || decision.source != .newest)
            && (count < 4 || decision.source == .bundled || decision.source == .nothing)
        if !(rules && steps) {
            Issue.record("\(ends): \(applied) then \(decision), \(next.crashGuard.verdicts)")
        }
        guard depth > 0 else { return }
        let alphabet: [GuardedApp.End] = [
            .crashInA, .crashInB, .crashBetweenCalls, .crashInBackground, .clean, .swiped,
            .lostMark,
        ]
        for end in alphabet { explore(app, ends + [end], depth: depth - 1) }
    }

    /// Returns whether a run can end so: a quarantined module runs nothing.
    private func isPossible(_ end: GuardedApp.End, _ app: GuardedApp) -> Bool {
        var next = app
        let decision = next.start()
        switch end {
        case .crashInA: return decision.source != .nothing && next.runs("A", in: decision.revision)
        case .crashInB: return decision.source != .nothing && next.runs("B", in: decision.revision)
        default: return true
        }
    }

    /// The crashes since the last run that survived.
    private func streak(_ ends: [GuardedApp.End]) -> [GuardedApp.End] {
        var streak: [GuardedApp.End] = []
        for end in ends {
            if end.isSurvival { streak = [] }
            if end.isCrash { streak.append(end) }
        }
        return streak
    }
}
