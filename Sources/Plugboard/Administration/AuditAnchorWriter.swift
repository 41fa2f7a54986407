import BehaviorStore
import Digests
import Locking
import Logging
import AdministrationStore
import System

/// Writes the audits' last rows to a file when they have changed.
///
/// The writer never replaces a file that it can't continue: such a file may prove that rows were
/// cut off.
struct AuditAnchorWriter: Sendable {
    /// The interval between two checks.
    private static let interval = Duration.seconds(10)

    let path: String
    let key: SigningKey?
    let backend: (any BehaviorBackend)?
    let administration: (any AdministrationBackend)?
    let logger: Logger
    /// The time for the last rows when the server stops: a database may not respond.
    var stopTimeout = Duration.seconds(2)
    /// The last logged error, so that each is logged once.
    private let logged = Locked<String?>(nil)

    /// Writes the file at the start and after changes, until the task is cancelled.
    func run() async {
        repeat { await write() } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Writes the rows of the last changes, also in a cancelled task.
    ///
    /// Gives up after ``stopTimeout``: the rows are in the audits, and the next start writes them.
    func finish() async {
        let last = Task { await write() }
        let timeout = Task {
            guard (try? await Task.sleep(for: stopTimeout)) != nil else { return }
            last.cancel()
            logger.error(
                """
                audit: the head isn't written: the store didn't respond within \(stopTimeout) of \
                the stop. \(lastRows); the next start writes it
                """
            )
        }
        await last.value
        timeout.cancel()
    }

    /// The rows in the file, for the log.
    private var lastRows: String {
        guard let written = (try? AuditAnchor.file(path)) ?? nil else {
            return "\(path) has no head"
        }
        let (first, second) = (written.documents.row, written.administration.row)
        return "\(path) has row \(first) of documents and row \(second) of administration"
    }

    /// Writes the file if the audits have other last rows than it.
    private func write() async {
        do {
            // Read each time: another program may have replaced the file.
            let written = try AuditAnchor.file(path)
            if let written { try checkSignature(of: written) }
            var anchor = try await AuditAnchor(backend, administration)
            if anchor.documents != written?.documents
                || anchor.administration != written?.administration
            {
                try await checkContinues(written)
                if let key { anchor.sign(with: key) }
                try DurableFiles.replace(path, with: anchor.text)
            }
            logged.withLock { $0 = nil }
        } catch {
            guard !Task.isCancelled else { return }
            let text = "\(error)"
            let isNews = logged.withLock { logged in
                defer { logged = text }
                return logged != text
            }
            if isNews { logger.error("audit: the head isn't written: \(text)") }
        }
    }

    /// Checks that the file is as trustworthy as the one that would replace it.
    private func checkSignature(of written: AuditAnchor) throws(AuditAnchor.FileProblem) {
        guard let key else {
            guard written.signature == nil else {
                throw AuditAnchor.FileProblem(path, "is signed, but the server has no audit key")
            }
            return
        }
        guard written.isSigned(by: key) else {
            throw AuditAnchor.FileProblem(path, "isn't signed by the audit key")
        }
    }

    /// Checks that the audits still have the written rows.
    ///
    /// Otherwise a cut audit would replace the file that proves the cut.
    private func checkContinues(_ written: AuditAnchor?) async throws {
        guard let written else { return }
        let (first, second) = (written.documents, written.administration)
        // A missing store has lost its rows, too.
        if first.row > 0 {
            let row = try await backend?.audit(after: first.row - 1, limit: 1).first
            guard row?.hash == first.hash else { throw LostRow(log: "documents", head: first) }
        }
        if second.row > 0 {
            let row = try await administration?.auditRows(after: second.row - 1, limit: 1).first
            guard row?.hash == second.hash else {
                throw LostRow(log: "administration", head: second)
            }
        }
    }

    private struct LostRow: Error, CustomStringConvertible {
        let log: String
        let head: AuditAnchor.Head

        var description: String {
            "the audit of \(log) lost or changed its row \(head.row); check it with audit verify, and "
                + "move the file to continue"
        }
    }
}
