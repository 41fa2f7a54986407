import Digests
import System
import Glibc
package import HTTPSyntax
import Locking
package import Logging
package import PlugHTTP

/// Verifies JSON Web Tokens with the keys of their issuer.
///
/// Requests read an immutable snapshot. No request reads a file or waits for the network.
package final class WebTokenVerifier: Sendable {
    /// The interval of the check whether the issuer's keys must be fetched.
    private static let interval = Duration.milliseconds(400)
    /// The minimum time between two fetches because of tokens with unknown keys, in seconds.
    package static let pause = 10
    /// The maximum number of valid tokens in the cache; a full cache is emptied.
    private let maximumMemory: Int

    private let source: KeySource
    private let rules: WebTokenRules
    private let logger: Logger
    private let now: @Sendable () -> Int
    private let state: Locked<State>

    private struct State {
        /// Nil until the first keys are available.
        var ring: KeyRing?
        /// Increases with each ring.
        var generation = 0
        /// Valid tokens by their digests.
        var memory: [[UInt8]: Known] = [:]
        /// The keys read at the start, for the first ring.
        var first: KeySet?
        var file: FileStamp?
        var isTaking = false
        /// The fetch that a token with an unknown key started.
        var fetch: Task<Void, Never>?
        /// The time of the last fetch.
        var asked: Int?
        /// The time of the next fetch.
        var due = 0
        var failures = 0

        /// Starts a fetch; returns false if one is already running.
        mutating func begin(at now: Int) -> Bool {
            guard !isTaking else { return false }
            (isTaking, asked) = (true, now)
            return true
        }
    }

    private struct Known {
        let caller: Caller
        let expires: Int
    }

    /// The result of a token's verification.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case refused(WebTokenError)
        /// The issuer's keys, or a new one of them, couldn't be fetched yet.
        case unavailable
    }

    /// Creates a verifier with keys, rules, and a clock of seconds since 1970.
    ///
    /// - Throws: ``KeySource/Failure`` for a file that isn't a valid key set.
    package init(
        _ source: KeySource,
        _ rules: WebTokenRules,
        logger: Logger,
        memory: Int = 4096,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) throws {
        self.source = source
        self.rules = rules
        self.logger = logger
        maximumMemory = memory
        self.now = now
        var state = State()
        if case .file(let path) = source {
            state.file = FileStamp(path)
            let set = try source.set(of: source.bytes())
            if let problem = set.problems.first { throw KeySource.Failure("\(source): \(problem)") }
            state.first = set
        }
        self.state = Locked(state)
    }

    /// Whether keys are available.
    package var hasKeys: Bool { state.withLock { $0.ring != nil } }

    // MARK: Asking

    /// Returns whether a text may be a JSON Web Token.
    package static func isToken(_ text: ByteSpan) -> Bool { WebToken.isOne(text) }

    /// The issuer of the tokens.
    package var issuer: String { rules.issuer }

    /// Returns whether a token names this issuer, before its signature is verified.
    package func isIssuer(of text: ByteSpan) -> Bool {
        guard let claims = try? WebToken(text).claims(), let issuer = claims["iss"]?.string else {
            return false
        }
        return issuer.utf8.elementsEqual(rules.issuer.utf8)
    }

    /// Verifies a token and returns its caller.
    package func verify(_ text: ByteSpan) -> Verdict {
        guard text.count <= WebToken.maximumSize else { return .refused(.tooLong) }
        let digest = Digest.sha256(text)
        let now = now()
        let (ring, generation, known) = state.withLock { state in
            (state.ring, state.generation, state.memory[digest])
        }
        if let known, now < known.expires { return .valid(known.caller) }
        do throws(WebTokenError) {
            let token = try WebToken(text)
            guard let ring else { return try unavailable(token, now) }
            switch ring.match(token.key, token.algorithm) {
            case .unknown:
                let unavailable = try unavailable(token, now)
                return mayBeKnown(now) ? unavailable : .refused(.unknownKey)
            case .otherAlgorithm: throw .otherAlgorithm
            case .ambiguous: throw .ambiguousKey
            case .key(let key):
                guard key.accepts(token.signature, of: token.message, by: token.algorithm) else {
                    throw .signature
                }
            }
            let (caller, expires) = try rules.bearer(token.claims(), now: now)
            remember(digest, Known(caller: caller, expires: expires), generation, now)
            return .valid(caller)
        } catch {
            return .refused(error)
        }
    }

    /// Returns the verdict about a token whose key isn't available.
    ///
    /// A token that is expired by its own claims is rejected without a signature check. So an
    /// expired token ends a running stream even if the issuer is unreachable. Other claims aren't
    /// revealed to a client whose signature isn't verified.
    private func unavailable(_ token: WebToken, _ now: Int) throws(WebTokenError) -> Verdict {
        do throws(WebTokenError) {
            _ = try rules.bearer(token.claims(), now: now)
        } catch {
            if error == .expired || error == .noExpiry { throw error }
        }
        return .unavailable
    }

    private func remember(_ digest: [UInt8], _ known: Known, _ generation: Int, _ now: Int) {
        state.withLock { state in
            // A token that an old ring verified must not be cached.
            guard state.generation == generation else { return }
            if state.memory.count >= maximumMemory {
                state.memory = state.memory.filter { now < $0.value.expires }
                if state.memory.count >= maximumMemory { state.memory = [:] }
            }
            state.memory[digest] = known
        }
    }

    /// Returns whether an unknown key may be a new key of the issuer.
    ///
    /// It may be one during a fetch and after a failed fetch.
    ///
    /// Rejecting such a token would make the client discard it, though it may be valid. At most one
    /// fetch starts per pause, whatever keys the tokens name.
    private func mayBeKnown(_ now: Int) -> Bool {
        guard case .remote = source else { return false }
        let (mayBe, begins) = state.withLock { state in
            let since = state.asked.map { now - $0 } ?? Self.pause
            let isDue = since >= Self.pause || since < 0
            return (state.isTaking || state.failures > 0, isDue && state.begin(at: now))
        }
        if begins {
            let fetch = Task { await takeBegun(at: now) }
            state.withLock { $0.fetch = fetch }
        }
        return mayBe || begins
    }

    /// Waits for the fetch that a token with an unknown key started, if there is one.
    package func endOfFetch() async { await state.withLock { $0.fetch }?.value }

    // MARK: Following the keys

    /// Loads the first keys.
    ///
    /// - Throws: ``KeySource/Failure`` if a file has invalid keys. An unreachable issuer is logged
    ///   and retried.
    package func begin() async throws {
        guard !hasKeys else { return }
        guard let first = state.withLock({ $0.first }) else { return await take() }
        do {
            let ring = try KeyRing(first)
            if let problem = ring.problems.first { throw KeySet.Invalid(description: problem) }
            install(ring)
        } catch {
            throw KeySource.Failure("\(source): \(error)")
        }
    }

    /// Reloads the keys when they change, until the task is cancelled.
    package func watch() async {
        switch source {
        case .file(let path):
            for await _ in Watcher.shared.looks(at: [.path(path)]) { await refresh() }
        case .remote:
            while (try? await Task.sleep(for: Self.interval)) != nil { await refresh() }
        }
    }

    /// Reloads the keys if the file has changed or a fetch is due.
    package func refresh() async {
        let isDue: Bool
        switch source {
        case .file(let path):
            let file = FileStamp(path)
            isDue = state.withLock { state in
                defer { state.file = file }
                return state.ring != nil && state.file != file
            }
        case .remote:
            let now = now()
            isDue = state.withLock { $0.due <= now && $0.asked != nil }
        }
        if isDue { await take() }
    }

    /// Reloads the keys; after an error the previous ones stay in use.
    private func take() async {
        let began = now()
        if state.withLock({ $0.begin(at: began) }) { await takeBegun(at: began) }
    }

    private func takeBegun(at began: Int) async {
        do {
            let fetched = try await source.fetch()
            let ring = try KeyRing(source.set(of: fetched.bytes))
            install(ring)
            for problem in ring.problems { logger.warning("tokens' keys: \(source): \(problem)") }
            let isNews = state.withLock { state in
                defer { (state.isTaking, state.failures) = (false, 0) }
                state.due = began + fetched.lifetime
                return source.isFile || state.failures > 0 || state.generation == 1
            }
            if isNews { logger.info("tokens' keys: the keys of \(source) are live") }
        } catch {
            let failures = state.withLock { state in
                state.isTaking = false
                state.failures += 1
                // The delays are 10 s, 20 s and so on, up to 320 s.
                state.due = began + Self.pause << min(state.failures - 1, 5)
                return state.failures
            }
            let rest = hasKeys ? "the previous keys stay in use" : "no token can be checked"
            if failures == 1 { logger.error("tokens' keys: \(rest): \(error)") }
        }
    }

    private func install(_ ring: KeyRing) {
        state.withLock { state in
            state.ring = ring
            state.first = nil
            state.generation += 1
            // A token of a removed key becomes invalid.
            state.memory = [:]
        }
    }
}
