#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#elseif canImport(Android)
public import Android
#endif

/// A value that one thread at a time can reach.
///
/// It is a POSIX mutex and not `Synchronization.Mutex`, because the thread sanitizer knows the one
/// and reports races within the other once threads contend for it: on Linux that one's slow path is
/// in a library which is not instrumented. A lock which the sanitizer cannot see would hide real
/// races among false ones. The price, measured: 24 ns for an uncontended lock instead of 18 ns.
///
/// - Note: `@unchecked Sendable` is safe: `value` is touched under the mutex only, and a `Value`
///   goes in by `sending` or is made under the lock.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Who uses it gets code for its `Value` alone: all is inlinable, and the class usable from inline,
    // without which `@inlinable` does nothing across modules.

    // Both at addresses of their own: a mutex must not move, and a value behind a pointer needs no
    // exclusivity check at run time, which the mutex makes superfluous.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ initial: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    @inlinable
    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs a body which has the value to itself; the body must neither lock again nor take long.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
