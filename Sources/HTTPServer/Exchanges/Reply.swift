/// The response to a request: ready, or promised.
package enum Reply {
    /// A response that is sent in the tick that read the request.
    case now(Response)
    /// A task that makes the response, on the loop that read the request, without a thread hop.
    ///
    /// It is cancelled when the client disconnects.
    case later(Work)

    /// The operation of a promised response.
    ///
    /// `nonisolated(nonsending)`: it starts on the caller's executor. Looking up the task's
    /// executor would take a lock.
    package typealias Work = nonisolated(nonsending) @Sendable () async -> Response

    /// Returns a reply whose response is transformed.
    package consuming func map(
        _ transform: @escaping @Sendable (consuming Response) -> Response
    ) -> Reply {
        // The parts are consumed, so nothing is copied.
        switch consume self {
        case .now(let response): .now(transform(response))
        case .later(let work): .later { transform(await work()) }
        }
    }
}
