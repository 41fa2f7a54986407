import Behaviors
import Targeting

extension BehaviorClient {
    /// Performs after the performances that were requested before.
    func enqueue() -> Task<BehaviorPerformance, Never> {
        let before = last
        let task = Task {
            _ = await before?.value
            return await perform()
        }
        last = task
        return task
    }

    /// Waits for a performance; cancelling the caller cancels the performance.
    static func value(
        of task: Task<BehaviorPerformance, Never>
    ) async -> BehaviorPerformance {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func perform() async -> BehaviorPerformance {
        var problems: [String] = []
        let (applied, document) = choose(&problems)
        settle()
        performedRevision = applied.newest
        let report = await catalog.perform(document, observer: recorder)
        recorder.end()
        if let problem = recorder.problem { problems.append("storage: \(problem)") }
        let performance = BehaviorPerformance(
            source: applied.source,
            revision: applied.revision,
            report: report,
            guardReports: recorder.state.crashGuard.reports,
            problems: problems
        )
        continuation.yield(.performed(performance))
        return performance
    }

    /// Chooses a document and marks it as applied, then reads it: reading may crash, too.
    private func choose(_ problems: inout [String]) -> (AppliedDocument, BehaviorDocument) {
        let context = contextDigest
        var excluded: Set<String> = []
        while true {
            let state = recorder.state
            let entries = state.documents.entries(for: context)
            let memory = newest.flatMap { $0.context == context ? $0.revision : nil }
            let revisions = ([memory].compactMap { $0 } + entries.map(\.revision)).filter {
                !excluded.contains($0)
            }
            let applied = state.crashGuard.document(
                newest: revisions.first,
                earlier: revisions,
                bundled: bundledRevision
            )
            recorder.apply(applied)
            switch applied.source {
            case .nothing: return (applied, BehaviorDocument(modules: []))
            case .bundled:
                do throws(InvalidBehavior) {
                    return (applied, try behavior(bundled, &problems))
                } catch {
                    problems.append("the bundled document is invalid: \(error)")
                    return (applied, BehaviorDocument(modules: []))
                }
            case .newest, .previous:
                do throws(InvalidBehavior) {
                    if let bytes = bytes(applied.revision, context, entries) {
                        return (applied, try behavior(bytes, &problems))
                    }
                    problems.append("the stored document \(applied.revision) is damaged")
                } catch {
                    problems.append("the stored document is invalid: \(error)")
                }
                excluded.insert(applied.revision)
            }
        }
    }

    /// Returns the bytes of a revision, from memory or the storage.
    func bytes(
        _ revision: String,
        _ context: String,
        _ entries: [StoredDocuments.Entry]
    ) -> [UInt8]? {
        if let newest, newest.context == context, newest.revision == revision {
            return newest.bytes
        }
        guard let entry = entries.first(where: { $0.revision == revision }),
            let bytes = recorder.document(entry, limit: BehaviorDocument.maximumSize)
        else { return nil }
        if newest?.context != context, entry == entries.first {
            newest = Newest(context: context, revision: revision, tag: entry.tag, bytes: bytes)
        }
        return bytes
    }

    /// Parses a document and evaluates its rules for the user's context.
    private func behavior(
        _ bytes: [UInt8],
        _ problems: inout [String]
    ) throws(InvalidBehavior) -> BehaviorDocument {
        let targeted = try TargetedBehavior(json: bytes)
        guard targeted.isTargeted else { return targeted.document }
        var context = TargetingContext.empty
        do throws(TargetingError) {
            context = try TargetingContext(properties: options.context)
        } catch {
            problems.append("the context is invalid, so rules read an empty one: \(error)")
        }
        context.timestamp = PlatformFiles.now
        let evaluation = targeted.evaluate(context)
        if let problem = evaluation.firstProblem { problems.append("a rule fails: \(problem)") }
        return targeted.behavior(of: evaluation.variant)
    }

    /// Settles the run once no call began for ten seconds.
    private func settle() {
        settling?.cancel()
        // The storage is free as soon as the client is released.
        settling = Task { [weak recorder, time = options.crashTime] in
            while !Task.isCancelled, let pause = recorder?.settle(after: time) {
                try? await Task.sleep(for: pause, clock: .suspending)
            }
        }
    }
}
