import System
import Glibc
import Locking
package import Logging

/// A server's TLS context, reloaded when its files change.
///
/// A change goes live when certificate and key match. Invalid files are logged and change nothing.
package final class TLSFiles: Sendable {
    /// The lifetime of ticket keys.
    ///
    /// A stolen key decrypts only resumed TLS 1.2 sessions of that time (RFC 5077 §5.5).
    private static let ticketKeyLifetime = Duration.seconds(12 * 3600)

    private let configuration: TLSConfiguration
    private let logger: Logger
    private let state: Locked<State>
    /// Serializes reloads, so that the newest files win.
    private let reading = Locked(())

    private struct State {
        var context: TLSContext
        /// The file stamps at the last read.
        var stamps: [FileStamp?]
        /// The stamps of newer files that are invalid.
        ///
        /// The error is logged only if they are still invalid at the next check, since certificate
        /// and key are replaced one after the other.
        var unusable: [FileStamp?]?
        var renewal: ContinuousClock.Instant
        /// The next time at which an authority of clients has no current revocation list.
        var listEnd: Int

        init(
            _ context: TLSContext,
            _ stamps: [FileStamp?],
            _ renewal: ContinuousClock.Instant
        ) {
            (self.context, self.stamps, self.renewal) = (context, stamps, renewal)
            listEnd = context.listEnd(after: time(nil))
        }
    }

    /// Reads the files; throws one error with all problems.
    package init(_ configuration: TLSConfiguration, logger: Logger) throws(TLSError) {
        self.configuration = configuration
        self.logger = logger
        let stamps = configuration.files.map { FileStamp($0) }
        let context = try TLSContext(configuration)
        context.warnings.forEach { logger.warning("\($0)") }
        let renewal = ContinuousClock.now + Self.ticketKeyLifetime
        state = Locked(State(context, stamps, renewal))
    }

    /// The live context.
    package var context: TLSContext { state.withLock { $0.context } }

    /// Watches the files until the task is cancelled, and passes each new context to `take`.
    package func watch(_ take: @Sendable (TLSContext) -> Void) async {
        guard configuration.isReloadable else { return }
        let files = configuration.files.map(Watcher.Target.path)
        for await _ in Watcher.shared.looks(at: files) { refresh(take) }
    }

    /// Reads the files if they have changed or the ticket keys have expired.
    ///
    /// Returns the new context after passing it to `take`.
    @discardableResult
    func refresh(_ take: (TLSContext) -> Void = { _ in }) -> TLSContext? {
        warnOfExpiredLists()
        let stamps = configuration.files.map { FileStamp($0) }
        let (isDue, lasts) = state.withLock { state in
            (stamps != state.stamps || state.renewal < .now, state.unusable == stamps)
        }
        return isDue ? reload(logsFailure: lasts, take) : nil
    }

    /// Logs once that a revocation list has expired: the server now rejects its authority's clients.
    private func warnOfExpiredLists() {
        let now = time(nil)
        let expired = state.withLock { state -> [String] in
            guard state.listEnd <= now else { return [] }
            state.listEnd = state.context.listEnd(after: now)
            return state.context.revocations.compactMap(\.dateWarning)
        }
        for warning in expired {
            logger.warning(
                "TLS revocation lists \(configuration.clients.revocations ?? ""): one \(warning)"
            )
        }
    }

    /// Reads the files.
    ///
    /// Returns the context after passing it to `take`; nil if the files are invalid.
    @discardableResult
    package func reload(
        logsFailure: Bool = true,
        _ take: (TLSContext) -> Void = { _ in }
    ) -> TLSContext? {
        guard configuration.isReloadable else { return nil }
        return reading.withLock { _ in
            let context = read(logsFailure)
            if let context { take(context) }
            return context
        }
    }

    private func read(_ logsFailure: Bool) -> TLSContext? {
        let stamps = configuration.files.map { FileStamp($0) }
        let renewal = ContinuousClock.now + Self.ticketKeyLifetime
        do {
            let context = try TLSContext(configuration)
            state.withLock { state in
                state = State(context, stamps, renewal)
            }
            for fingerprint in context.fingerprints {
                logger.info("TLS: the certificate with SHA-256 \(fingerprint) is live")
            }
            context.warnings.forEach { logger.warning("\($0)") }
            return context
        } catch {
            guard logsFailure else {
                state.withLock { $0.unusable = stamps }
                return nil
            }
            state.withLock { ($0.stamps, $0.unusable, $0.renewal) = (stamps, nil, renewal) }
            logger.error("TLS: the last valid certificate stays live: \(error)")
            return nil
        }
    }
}
