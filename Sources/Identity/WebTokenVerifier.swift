import Digests
import System
import Glibc
package import HTTPSyntax
import Locking
package import Logging
package import PlugHTTP

/// Finds out whose JSON Web Tokens are, by the keys of their issuer.
///
/// What is asked at each request is an immutable snapshot: no request reads a file or waits for the
/// network.
package final class WebTokenVerifier: Sendable {
    /// How often it is checked whether the issuer's keys are due.
    private static let interval = Duration.milliseconds(400)
    /// The fewest seconds between two fetches that tokens of unknown keys ask for.
    package static let pause = 10
    /// The most tokens that are remembered as good until they end; a full memory is emptied.
    private let greatestMemory: Int

    private let source: KeySource
    private let rules: WebTokenRules
    private let logger: Logger
    private let now: @Sendable () -> Int
    private let state: Locked<State>

    private struct State {
        /// Nil before there were any.
        var ring: KeyRing?
        /// Moves on with each ring.
        var generation = 0
        /// Good tokens by their digests.
        var memory: [[UInt8]: Known] = [:]
        /// What was read at the start, for the first ring.
        var first: KeySet?
        var file: FileStamp?
        var isTaking = false
        /// The taking that a token of an unknown key has begun.
        var fetch: Task<Void, Never>?
        /// When keys were last asked for.
        var asked: Int?
        /// When they are to be asked for again.
        var due = 0
        var failures = 0

        /// Whether nobody else takes keys by now.
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

    /// What a token turns out to be.
    package enum Verdict: Sendable, Equatable {
        case valid(Caller)
        case refused(WebTokenError)
        /// Nobody knows before the issuer's keys are there, or while it can't be asked for a new one.
        case unavailable
    }

    /// Tokens by those keys and rules, and a clock of seconds since 1970.
    ///
    /// - Throws: ``KeySource/Failure`` for a file that is no set of keys.
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
        greatestMemory = memory
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

    /// Whether there are keys.
    package var hasKeys: Bool { state.withLock { $0.ring != nil } }

    // MARK: Asking

    /// Whether a text may be such a token.
    package static func isToken(_ text: ByteSpan) -> Bool { WebToken.isOne(text) }

    /// Finds out whose a token is.
    package func verify(_ text: ByteSpan) -> Verdict {
        guard text.count <= WebToken.greatestSize else { return .refused(.tooLong) }
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

    /// What is told of a token whose key isn't there.
    ///
    /// What it says of its own time refuses it, whoever has signed it: one that has expired ends what
    /// was begun with it, though the issuer can't be asked. Of what else is expected nobody is told
    /// whose signature isn't checked.
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
            // What other keys have checked counts no more.
            guard state.generation == generation else { return }
            if state.memory.count >= greatestMemory {
                state.memory = state.memory.filter { now < $0.value.expires }
                if state.memory.count >= greatestMemory { state.memory = [:] }
            }
            state.memory[digest] = known
        }
    }

    /// Whether a key that isn't known may be one of the issuer's all the same, who may have begun to
    /// sign with a new one: they are being fetched now, or couldn't be the last time.
    ///
    /// To refuse such a token would make its bearer throw away one that may be good. Whatever keys
    /// tokens name, one fetch is begun in a pause.
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

    /// Waits for the fetch that a token of an unknown key has begun, if one has.
    package func endOfFetch() async { await state.withLock { $0.fetch }?.value }

    // MARK: Following the keys

    /// Makes the first keys.
    ///
    /// - Throws: ``KeySource/Failure`` where a file's numbers are no keys. An issuer that can't be
    ///   reached is told in the log, and asked again.
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

    /// Takes the keys anew as they change, until the task is cancelled.
    package func watch() async {
        switch source {
        case .file(let path):
            for await _ in Watcher.shared.looks(at: [.path(path)]) { await refresh() }
        case .remote:
            while (try? await Task.sleep(for: Self.interval)) != nil { await refresh() }
        }
    }

    /// Takes the keys anew where the file has changed, or the issuer is to be asked again.
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

    /// Takes the keys; those before stay where there are none to be had.
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
            if isNews { logger.info("tokens' keys: those of \(source) are live") }
        } catch {
            let failures = state.withLock { state in
                state.isTaking = false
                state.failures += 1
                // 10 s, then 20 and so on up to 320.
                state.due = began + Self.pause << min(state.failures - 1, 5)
                return state.failures
            }
            let rest = hasKeys ? "those known before stay" : "no token can be checked"
            if failures == 1 { logger.error("tokens' keys: \(rest): \(error)") }
        }
    }

    private func install(_ ring: KeyRing) {
        state.withLock { state in
            state.ring = ring
            state.first = nil
            state.generation += 1
            // A key that is there no more opens nothing any more.
            state.memory = [:]
        }
    }
}
