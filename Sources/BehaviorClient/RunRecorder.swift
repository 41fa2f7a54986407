import Behaviors
import Locking

/// The crash guard with its files, for calls from any thread.
///
/// Each change is written before the method returns, so that the next start reads it.
final class RunRecorder: CallObserver {
    fileprivate struct Recorded {
        var state: StoredState
        var mark: RunMark
        /// Nil without a storage, or if it can't be used.
        var files: StorageFiles?
        var problem: String?
        /// The beginning of the last call.
        var lastCall = SuspendingClock.now
    }

    private let recorded: Locked<Recorded>

    /// Opens a storage, judges the previous run and writes the mark of this one.
    init(_ storage: BehaviorStorage?, _ lifecycle: Lifecycle) {
        var files: StorageFiles?
        var problem: String?
        do throws(StorageError) {
            files = try storage.map { storage throws(StorageError) in try StorageFiles(storage) }
        } catch {
            problem = error.description
        }
        let stored = files?.readState() ?? StoredState()
        var state = stored
        let mark = state.crashGuard.start(after: files?.foundMark, lifecycle)
        var recorded = Recorded(state: state, mark: mark, files: files, problem: problem)
        // The state is first: a run is judged once, also if the app ends between the two.
        if state != stored { recorded.writeState() }
        recorded.writeMark()
        self.recorded = Locked(recorded)
    }

    /// The state, with changes that other calls have made.
    var state: StoredState { recorded.withLock { $0.state } }

    /// The error of the storage; nil if it works or there is none.
    var problem: String? { recorded.withLock { $0.problem } }

    /// Returns a stored document's bytes; forgets it if its file is damaged.
    func document(_ entry: StoredDocuments.Entry, limit: Int) -> [UInt8]? {
        recorded.withLock { recorded in
            if let bytes = recorded.files?.readDocument(entry, limit: limit) { return bytes }
            recorded.state.documents.remove(file: entry.file)
            recorded.writeState()
            return nil
        }
    }

    /// Stores a document, then lists it.
    func store(_ bytes: [UInt8], revision: String, context: String, tag: String?) {
        recorded.withLock { recorded in
            let documents = recorded.state.documents
            if let known = documents.entries(for: context).first, known.revision == revision {
                guard known.tag != tag else { return }
                recorded.state.documents.setTag(tag, of: revision, context: context)
                recorded.writeState()
                return
            }
            guard let files = recorded.files else { return }
            let file = documents.freeFile
            do throws(StorageError) {
                try files.writeDocument(bytes, file: file)
            } catch {
                recorded.problem = error.description
                return
            }
            let crashGuard = recorded.state.crashGuard
            recorded.state.documents.add(
                StoredDocuments.Entry(revision: revision, context: context, tag: tag, file: file)
            ) { crashGuard.isSurvivor($0) }
            recorded.writeState()
        }
    }

    /// Begins the application of a document.
    func apply(_ document: AppliedDocument) {
        // The time is first, so that an earlier document's ten seconds can't settle this one.
        recorded.withLock { $0.lastCall = .now }
        change { state, mark in state.crashGuard.apply(document, &mark) }
    }

    func allows(_ module: String) -> Bool {
        recorded.withLock { recorded in
            guard let revision = recorded.mark.applied?.revision else { return true }
            return !recorded.state.crashGuard.isQuarantined(module, in: revision)
        }
    }

    func begin(_ module: String, _ function: String) {
        recorded.withLock { recorded in
            recorded.mark.begin(ModuleCall(module: module, function: function))
            recorded.writeMark()
            recorded.lastCall = .now
        }
    }

    /// Ends a performance.
    func end() { change { _, mark in mark.end() } }

    /// Records a change of the app's lifecycle.
    func change(_ event: Lifecycle.Event) { change { _, mark in mark.change(event) } }

    /// Records a clean stop and closes the files.
    func close() {
        change(.cleanStop)
        recorded.withLock { $0.files = nil }
    }

    /// Settles the run if no call began within `time`.
    ///
    /// - Returns: the time until the next attempt; nil if none is necessary.
    func settle(after time: Duration) -> Duration? {
        let (rest, isPerforming) = recorded.withLock { recorded in
            (recorded.lastCall.advanced(by: time) - .now, recorded.mark.call != nil)
        }
        guard rest <= .zero else { return rest }
        change { state, mark in state.crashGuard.settle(&mark) }
        return isPerforming ? time : nil
    }

    /// Removes reports that a fetch has delivered.
    func removeReports(_ delivered: [GuardReport]) {
        guard !delivered.isEmpty else { return }
        change { state, _ in state.crashGuard.removeReports(delivered) }
    }

    /// Changes state and mark, and writes what differs.
    private func change(_ body: (inout StoredState, inout RunMark) -> Void) {
        recorded.withLock { recorded in
            let (state, mark) = (recorded.state, recorded.mark)
            body(&recorded.state, &recorded.mark)
            if recorded.state != state { recorded.writeState() }
            if recorded.mark != mark { recorded.writeMark() }
        }
    }
}

extension RunRecorder.Recorded {
    fileprivate mutating func writeMark() {
        guard let files, !files.write(mark) else { return }
        problem = "the mark can't be written: free space on the device"
    }

    fileprivate mutating func writeState() {
        do throws(StorageError) {
            try files?.write(state)
        } catch {
            problem = error.description
        }
    }
}
