import AdministrationStore
import Identity
import Locking
import Logging
import System

/// Applies the changes of tokens and plugs that other processes make.
final class AdministrationFollower: Sendable {
    private let administration: Administration
    private let plugs: PlugAdministration?
    private let logger: Logger
    private let unread = UnreadChanges()
    /// The last logged error, so that each is logged once.
    private let logged = Locked<String?>(nil)

    init(_ administration: Administration, _ plugs: PlugAdministration?, _ logger: Logger) {
        self.administration = administration
        self.plugs = plugs
        self.logger = logger
    }

    /// Restores the stored plans, and loads a remote store's tokens; blocks the calling thread.
    ///
    /// If a remote store is unavailable, ``run()`` loads both when it is available. Until then
    /// requests with a token are 503.
    func begin() throws {
        do {
            try administration.tokens.begin()
            try plugs?.restore()
        } catch AdministrationError.unavailable(let reason) where administration.backend.isRemote {
            unread.mark()
            logger.error(
                """
                tokens and plugs: the store is unavailable; requests with a token are 503 until it \
                is available: \(reason)
                """
            )
        }
    }

    /// Follows the store until the task is cancelled.
    ///
    /// It also records rejected tokens and the last uses of others.
    func run() async {
        let (backend, tokens) = (administration.backend, administration.tokens)
        await withTaskGroup { [self] group in
            group.addTask { await backend.watch { [self] in await look() } }
            group.addTask { await self.unread.retry { await self.look() } }
            group.addTask {
                await self.administration.rejections.record(into: backend) {
                    self.logger.warning("tokens: \($0)")
                }
            }
            group.addTask {
                await tokens.recordUses {
                    self.logger.error("tokens: last uses can't be written: \($0)")
                }
            }
        }
    }

    private func look() async {
        unread.clear()
        var failure: (any Error)?
        do { try await administration.tokens.refresh() } catch { failure = error }
        do { try await plugs?.refresh() } catch { failure = failure ?? error }
        guard let failure else {
            logged.withLock { $0 = nil }
            return
        }
        unread.mark()
        // A remote store has logged that it is lost.
        let backend = administration.backend
        guard !Task.isCancelled, !(backend.isRemote && backend.loss != nil) else { return }
        let text = "\(failure)"
        let isNews = logged.withLock { logged in
            defer { logged = text }
            return logged != text
        }
        if isNews { logger.error("tokens and plugs: the previous ones stay valid: \(text)") }
    }
}
