#if canImport(Glibc) || canImport(Musl)
/// Connects to a server on a thread, which waits for the name's resolution.
struct SocketConnector: Sendable {
    let origin: Origin
    let limits: TransportLimits
    let threads: WorkerThreads
    let trust: @Sendable () throws(ClientError) -> TrustStore

    /// Returns a new connection.
    ///
    /// - Throws: ``ClientError``, or `CancellationError` as soon as the task is cancelled.
    func connect() async throws -> SocketConnection {
        let handoff = Handoff<SocketConnection>()
        let held = HeldConnection()
        let limit = ContinuousClock.now + min(limits.timeout, limits.connectTimeout)
        return try await handoff.wait {
            let isAccepted = threads.run {
                handoff.end(
                    Result {
                        try held.check()
                        let addresses = try Resolver.shared.addresses(
                            of: origin.authority,
                            until: limit,
                            for: held
                        )
                        return try SocketConnection.connect(
                            to: addresses,
                            of: origin.authority,
                            trusting: origin.isSecure ? trust() : nil,
                            until: limit,
                            isWanted: held.hold
                        )
                    }
                )
            }
            if !isAccepted {
                handoff.end(.failure(ClientError(.unreachable, "No thread can be created")))
            }
        } cancelled: {
            held.cancel()
        }
    }
}
#endif
