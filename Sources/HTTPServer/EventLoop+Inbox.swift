import System
import Glibc

/// Messages from other threads, and the jobs of the loop's tasks.
extension EventLoop {
    /// Enqueues a task's job.
    ///
    /// Callable from any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if inbox.isOpen(for: pthread_self()) {
            jobs.append(job)
        } else if !inbox.post(.job(job)) {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    /// Starts to drain: no new connections, and one last response on each.
    ///
    /// Callable from any thread.
    func drain() {
        _ = inbox.post(.drain)
    }

    /// Uses another TLS context for new connections.
    ///
    /// Callable from any thread.
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

    /// The time for jobs before the sockets are served again, in milliseconds.
    private static let jobTime = 4

    /// Runs the jobs of tasks.
    ///
    /// Jobs that remain after `jobTime` run after the sockets have been served.
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
        // Connections in the kernel's queue are served once, since closing the listener would reset
        // them.
        for listener in acceptor.listeners { while accept(listener.raw) {} }
        acceptor.close(poller)
        connections.all.forEach { $0.handle(.drain) }
    }
}
