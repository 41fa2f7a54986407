import System
import Glibc
import Locking
package import Logging

/// A server's TLS context from files that may change while it serves.
///
/// A change goes live within a second and a half, at once on `reload`. Files that can't be used
/// are told in the log and change nothing.
package final class TLSFiles: Sendable {
    /// How often the files are looked at.
    private static let interval = Duration.milliseconds(400)
    /// How long the keys last that tickets are encrypted with: whoever steals them can read no
    /// resumed TLS 1.2 session that is older (RFC 5077 §5.5).
    private static let ticketKeyLifetime = Duration.seconds(12 * 3600)

    private let configuration: TLSConfiguration
    private let logger: Logger
    private let state: Locked<State>
    /// Held until what was read is live, so that what is read last stays so.
    private let reading = Locked(())

    private struct State {
        var context: TLSContext
        /// The files as they were when they were last read.
        var stamps: [FileStamp?]
        /// Another state of theirs, which has to last for one more look: a certificate and its key
        /// are replaced one after the other.
        var seen: [FileStamp?]?
        var renewal: ContinuousClock.Instant
    }

    /// Reads the files; throws all that is wrong with them.
    package init(_ configuration: TLSConfiguration, logger: Logger) throws(TLSError) {
        self.configuration = configuration
        self.logger = logger
        let stamps = configuration.files.map { FileStamp($0) }
        let context = try TLSContext(configuration)
        context.warnings.forEach { logger.warning("\($0)") }
        let renewal = ContinuousClock.now + Self.ticketKeyLifetime
        state = Locked(State(context: context, stamps: stamps, renewal: renewal))
    }

    /// The live context.
    package var context: TLSContext { state.withLock { $0.context } }

    /// Looks at the files again and again, until the task is cancelled; `take` gets each new
    /// context.
    package func watch(_ take: @Sendable (TLSContext) -> Void) async {
        guard configuration.isReloadable else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil { refresh(take) }
    }

    /// Reads the files anew if they have changed; returns the context if there is a new one, which
    /// `take` has got by then.
    @discardableResult
    func refresh(_ take: (TLSContext) -> Void = { _ in }) -> TLSContext? {
        let stamps = configuration.files.map { FileStamp($0) }
        let isDue = state.withLock { state in
            if stamps == state.stamps {
                state.seen = nil
                return state.renewal < .now
            }
            defer { state.seen = stamps }
            return state.seen == stamps
        }
        return isDue ? reload(take) : nil
    }

    /// Reads the files anew; returns the context, which `take` has got by then, nil if they can't be
    /// used.
    @discardableResult
    package func reload(_ take: (TLSContext) -> Void = { _ in }) -> TLSContext? {
        guard configuration.isReloadable else { return nil }
        return reading.withLock { _ in
            let context = read()
            if let context { take(context) }
            return context
        }
    }

    private func read() -> TLSContext? {
        let stamps = configuration.files.map { FileStamp($0) }
        let renewal = ContinuousClock.now + Self.ticketKeyLifetime
        state.withLock { state in
            (state.stamps, state.seen, state.renewal) = (stamps, nil, renewal)
        }
        do {
            let context = try TLSContext(configuration)
            state.withLock { $0.context = context }
            for fingerprint in context.fingerprints {
                logger.info("TLS: the certificate with SHA-256 \(fingerprint) is live")
            }
            context.warnings.forEach { logger.warning("\($0)") }
            return context
        } catch {
            logger.error("TLS: the last good certificate stays live: \(error)")
            return nil
        }
    }
}
