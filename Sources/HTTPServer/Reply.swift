/// The response to a request: ready, or promised.
package enum Reply {
    /// Sent in the tick that read the request.
    case now(Response)
    /// Runs as a task on the loop that read the request, without a thread hop. The task is cancelled
    /// when the client goes away.
    case later(Work)

    /// `nonisolated(nonsending)`: it begins where it is called from, without asking the task for
    /// its executor, which takes a lock.
    package typealias Work = nonisolated(nonsending) @Sendable () async -> Response

    /// The reply whose response is `transform`'s of this one's.
    package consuming func map(
        _ transform: @escaping @Sendable (consuming Response) -> Response
    ) -> Reply {
        // Taken apart and put together again, which copies nothing.
        switch consume self {
        case .now(let response): .now(transform(response))
        case .later(let work): .later { transform(await work()) }
        }
    }
}
