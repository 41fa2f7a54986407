import System
import Glibc

/// What reaches a loop from other threads, and the jobs of its tasks.
extension EventLoop {
    /// Takes a task's job, from any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if inbox.isOpen(for: pthread_self()) {
            jobs.append(job)
        } else if !inbox.post(.job(job)) {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    /// Begins to drain, from any thread: no new connections, and the last answer on each.
    func drain() {
        _ = inbox.post(.drain)
    }

    /// Takes another TLS context for the connections from then on, from any thread.
    func replaceTLS(_ context: TLSContext) {
        _ = inbox.post(.replaceTLS(context))
    }

    func takeInbox() {
        inbox.take { message in
            switch message {
            case .job(let job): jobs.append(job)
            case .drain: beginDraining()
            case .replaceTLS(let context): tls = context
            case .resumeUpload(let exchange):
                let connection = connection(exchange.connection)
                if let stream = exchange.stream {
                    connection?.http2?.resumeUpload(stream)
                } else {
                    connection?.handle(.drained)
                }
            }
        }
    }

    /// The time that jobs get before the sockets have their turn, in milliseconds.
    private static let jobTime = 4

    /// Runs the jobs of tasks.
    ///
    /// Those that are left after a while wait until the sockets were served.
    func runJobs() {
        guard !jobs.isEmpty else { return }
        swap(&jobs, &runningJobs)
        let end = LoopClock.now + Self.jobTime
        var done = 0
        for job in runningJobs {
            job.runSynchronously(on: asUnownedTaskExecutor())
            done += 1
            if done < runningJobs.count, LoopClock.now >= end { break }
        }
        if done < runningJobs.count { jobs.insert(contentsOf: runningJobs[done...], at: 0) }
        runningJobs.removeAll(keepingCapacity: true)
    }

    func beginDraining() {
        guard !isDraining else { return }
        isDraining = true
        drainDeadline = clock.milliseconds + configuration.drainTimeout * 1000
        // What the kernel has accepted for this loop is served, not reset; its first answer is its last.
        for listener in acceptor.listeners { while accept(listener.raw) {} }
        acceptor.close(poller)
        connections.all.forEach { $0.handle(.drain) }
    }
}
