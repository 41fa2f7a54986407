import Glibc

/// Runs tasks on a loop's thread, so that an action's `async` code runs on the loop that read its
/// request.
///
/// `@unchecked Sendable`: the jobs are used on the loop's thread only, and `inbox` has a lock.
final class LoopExecutor: TaskExecutor, @unchecked Sendable {
    /// The time for jobs before the sockets are served again, in milliseconds.
    private static let jobTime = 4

    private let inbox: LoopInbox
    @exclusivity(unchecked) private var jobs: [UnownedJob] = []
    @exclusivity(unchecked) private var running: [UnownedJob] = []

    init(_ inbox: LoopInbox) {
        self.inbox = inbox
    }

    /// Whether jobs wait.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Enqueues a task's job.
    ///
    /// Callable from any thread. A job that arrives after the loop's end runs elsewhere.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if inbox.isOpen(for: pthread_self()) {
            jobs.append(job)
        } else if !inbox.post(.job(job)) {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    /// Adds a job from the inbox.
    func add(_ job: UnownedJob) { jobs.append(job) }

    /// Runs the waiting jobs.
    ///
    /// Jobs that remain after `jobTime` run after the sockets have been served.
    func run() {
        guard !jobs.isEmpty else { return }
        swap(&jobs, &running)
        let end = LoopClock.now + Self.jobTime
        var done = 0
        for job in running {
            job.runSynchronously(on: asUnownedTaskExecutor())
            done += 1
            if done < running.count, LoopClock.now >= end { break }
        }
        if done < running.count { jobs.insert(contentsOf: running[done...], at: 0) }
        running.removeAll(keepingCapacity: true)
    }

    /// Closes the inbox; the remaining jobs run elsewhere.
    func close() {
        for job in inbox.close() + jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
