/// The rules that keep an app alive whatever its behavior does: a value without files or clocks.
///
/// | consecutive crashes of a revision | decision |
/// |---|---|
/// | 1 | none: Chrome's 99.5th percentile of users has fewer than three |
/// | 2 | the running modules are quarantined for that revision |
/// | 3 | the previous document is applied |
/// | 4 | the bundled document is applied |
/// | more | its running module is quarantined; without one, nothing is applied |
///
/// If no module was running at the second crash, the previous document is applied at once. A crash
/// is an end in the foreground, without a clean stop, within ten seconds after a call began. Other
/// ends neither count nor clear. A run that survives clears the count, but no decision: the same
/// revision would crash again. A revision with other bytes begins without decisions.
struct CrashGuard: Hashable, Sendable, Codable {
    /// The decisions about a revision.
    struct Verdict: Hashable, Sendable, Codable {
        var revision: String
        /// The modules that don't run.
        var quarantined: [String] = []
        /// The document that replaces this one; `newest` for none.
        var source = DocumentSource.newest
    }

    /// The most revisions with decisions, and the most that are known to survive.
    static let maximumVerdicts = 8
    /// The most reports that wait for a fetch; the oldest is dropped beyond.
    static let maximumReports = 16

    /// The newest revision in the crashed runs.
    private(set) var subject: String?
    /// The number of consecutive crashes.
    private(set) var crashes = 0
    /// The modules that were running at these crashes.
    private(set) var suspects: [Suspect] = []
    private(set) var verdicts: [Verdict] = []
    /// The revisions that survived a run, the latest last.
    private(set) var survivors: [String] = []
    /// The decisions that no fetch has reported yet.
    private(set) var reports: [GuardReport] = []
    /// The number of the last run whose end is judged.
    private(set) var judged: UInt64 = 0

    /// A module that was running at a crash.
    struct Suspect: Hashable, Sendable, Codable {
        var revision: String
        var call: ModuleCall
    }

    /// Judges the end of the previous run by its mark.
    ///
    /// A run is judged once, even if the app ends before it writes its own mark. A missing mark
    /// changes nothing. A judgement without a change isn't noted, so that most starts write no state.
    ///
    /// - Returns: the mark of the new run.
    mutating func start(after mark: RunMark?, _ lifecycle: Lifecycle) -> RunMark {
        if let mark, mark.run > judged {
            let before = self
            judge(mark, lifecycle.lastEnd)
            if self != before { judged = mark.run }
        }
        let run = max(judged, mark?.run ?? 0) &+ 1
        return RunMark(run: run, isForeground: lifecycle.isForeground)
    }

    private mutating func judge(_ mark: RunMark, _ end: Lifecycle.End) {
        guard let applied = mark.applied else { return }
        switch mark.phase {
        case .started: break
        case .settled, .stopped: survive(applied)
        case .applying:
            if end == .clean {
                survive(applied)
            } else if mark.isForeground, end.mayBeCrash {
                crash(applied, mark.call)
            }
        }
    }

    private mutating func crash(_ applied: AppliedDocument, _ call: ModuleCall?) {
        begin(applied)
        crashes += 1
        report(.crash, applied, call)
        if let call {
            let suspect = Suspect(revision: applied.revision, call: call)
            if !suspects.contains(suspect) { suspects.append(suspect) }
        }
        guard crashes > 1 else { return }
        var escalates = call == nil || crashes > 2
        if crashes == 2 || applied.source == .bundled {
            let isNew = quarantine()
            escalates = call == nil || !isNew
        }
        if escalates { replace(applied, call) }
    }

    /// Quarantines the suspects; returns whether one of them wasn't quarantined before.
    private mutating func quarantine() -> Bool {
        var isNew = false
        for suspect in suspects {
            let (revision, module) = (suspect.revision, suspect.call.module)
            guard !isQuarantined(module, in: revision) else { continue }
            change(revision) { $0.quarantined.append(module) }
            isNew = true
            add(
                GuardReport(
                    kind: .quarantine,
                    revision: revision,
                    module: module,
                    function: suspect.call.function
                )
            )
        }
        return isNew
    }

    private mutating func replace(_ applied: AppliedDocument, _ call: ModuleCall?) {
        let source = applied.source.fallback
        change(applied.newest) { $0.source = source }
        report(.fallback, applied, call, source)
    }

    private mutating func survive(_ applied: AppliedDocument) {
        begin(applied)
        crashes = 0
        suspects = []
        guard survivors.last != applied.revision else { return }
        survivors.removeAll { $0 == applied.revision }
        survivors.append(applied.revision)
        if survivors.count > Self.maximumVerdicts { survivors.removeFirst() }
    }

    /// Clears the count if another revision is the newest.
    private mutating func begin(_ applied: AppliedDocument) {
        guard subject != applied.newest else { return }
        subject = applied.newest
        crashes = 0
        suspects = []
    }

    private mutating func change(_ revision: String, _ body: (inout Verdict) -> Void) {
        var verdict = self.verdict(on: revision)
        body(&verdict)
        verdicts.removeAll { $0.revision == revision }
        verdicts.append(verdict)
        if verdicts.count > Self.maximumVerdicts { verdicts.removeFirst() }
    }

    private mutating func report(
        _ kind: GuardReport.Kind,
        _ applied: AppliedDocument,
        _ call: ModuleCall?,
        _ source: DocumentSource? = nil
    ) {
        add(
            GuardReport(
                kind: kind,
                revision: kind == .fallback ? applied.newest : applied.revision,
                module: call?.module,
                function: call?.function,
                source: source
            )
        )
    }

    private mutating func add(_ report: GuardReport) {
        reports.append(report)
        if reports.count > Self.maximumReports { reports.removeFirst() }
    }
}

// MARK: A run

extension CrashGuard {
    /// Begins the application of a document.
    mutating func apply(_ document: AppliedDocument, _ mark: inout RunMark) {
        begin(document)
        mark.phase = .applying
        mark.applied = document
        mark.call = nil
    }

    /// Ends the ten seconds after the last call's beginning.
    mutating func settle(_ mark: inout RunMark) {
        guard mark.phase == .applying, let applied = mark.applied else { return }
        mark.phase = .settled
        survive(applied)
    }

    /// Removes the first reports, which a fetch has delivered.
    mutating func removeReports(_ delivered: [GuardReport]) {
        reports.removeFirst(zip(reports, delivered).prefix { $0 == $1 }.count)
    }
}

// MARK: Decisions

extension CrashGuard {
    /// Returns whether a module doesn't run in a revision.
    func isQuarantined(_ module: String, in revision: String) -> Bool {
        verdict(on: revision).quarantined.contains(module)
    }

    /// Returns the decisions about a revision.
    func verdict(on revision: String) -> Verdict {
        verdicts.first { $0.revision == revision } ?? Verdict(revision: revision)
    }

    /// Returns whether a revision survived a run.
    func isSurvivor(_ revision: String) -> Bool { survivors.contains(revision) }

    /// Returns the document to apply: one of the stored revisions, or the bundled one.
    ///
    /// `newest` is nil if none is stored. `earlier` has the others, the latest first.
    func document(
        newest: String?,
        earlier: [String],
        bundled: @autoclosure () -> String
    ) -> AppliedDocument {
        guard let newest else {
            let revision = bundled()
            let source = verdict(on: revision).source
            return AppliedDocument(
                newest: revision,
                revision: revision,
                source: source == .newest ? .bundled : .nothing
            )
        }
        let verdict = verdict(on: newest)
        switch verdict.source {
        case .newest: return AppliedDocument(newest: newest, revision: newest, source: .newest)
        case .previous:
            let healthy = earlier.filter { $0 != newest && self.verdict(on: $0).source == .newest }
            if let revision = healthy.first(where: isSurvivor) ?? healthy.first {
                return AppliedDocument(newest: newest, revision: revision, source: .previous)
            }
            return AppliedDocument(newest: newest, revision: bundled(), source: .bundled)
        case .bundled, .nothing:
            return AppliedDocument(newest: newest, revision: bundled(), source: verdict.source)
        }
    }
}
