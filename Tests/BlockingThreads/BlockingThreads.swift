#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Threads for tests that block: each step of a task between two of its waits has one of its own.
///
/// Swift's own threads must not block, since there is one for each core: with as many tests waiting
/// for an answer, nothing would be left to run what the answer depends on.
package final class BlockingThreads: TaskExecutor {
    private static let shared = BlockingThreads()

    private init() {}

    /// Runs a body, and the child tasks that it makes, on threads that may block.
    package static func run<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await withTaskExecutorPreference(shared) { try await body() }
    }

    /// Runs a body on a thread of its own.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Glibc) || canImport(Musl)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let status = pthread_create(
            &thread,
            nil,
            { body in
                let body: UnsafeMutableRawPointer? = body
                guard let body else { return nil }
                Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(Body(body)).toOpaque()
        )
        precondition(status == 0, "pthread_create: errno \(status)")
        pthread_detach(thread)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Self.start { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
