import BehaviorStore
import Digests
import JSONCodec
import Logging
import Storage
import System

/// Writes the audits' last rows to a file when they have changed.
struct AuditAnchorWriter: Sendable {
    /// The interval between two checks.
    private static let interval = Duration.seconds(10)

    let path: String
    let key: SigningKey?
    let backend: (any BehaviorBackend)?
    let storage: Storage?
    let logger: Logger

    /// Writes the file at the start and after changes, until the task is cancelled.
    func run() async {
        var written = known
        var logged: String?
        repeat {
            do {
                var anchor = try await AuditAnchor(backend, storage)
                guard
                    anchor.documents != written?.documents
                        || anchor.administration != written?.administration
                else { continue }
                try await checkContinues(written)
                if let key { anchor.sign(with: key) }
                try DurableFiles.replace(path, with: anchor.text)
                written = anchor
                logged = nil
            } catch is CancellationError {
                return
            } catch {
                let text = "\(error)"
                if text != logged { logger.error("audit: the head isn't written: \(text)") }
                logged = text
            }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// The file of an earlier run; nil if there is none, or another key signed it.
    private var known: AuditAnchor? {
        guard let bytes = try? FileBytes.read(path, limit: 1 << 16),
            let anchor = try? JSON.decode(AuditAnchor.self, from: bytes),
            key.map(anchor.isSigned) ?? true
        else { return nil }
        return anchor
    }

    /// Checks that the audits still have the written rows.
    ///
    /// Otherwise a cut audit would replace the file that proves the cut.
    private func checkContinues(_ written: AuditAnchor?) async throws {
        guard let written else { return }
        let (first, second) = (written.documents, written.administration)
        if let backend, first.row > 0 {
            let row = try await backend.audit(after: first.row - 1, limit: 1).first
            guard row?.hash == first.hash else { throw LostRow(log: "documents", head: first) }
        }
        if let storage, second.row > 0 {
            let row = try await storage.administrationRows(after: second.row - 1, limit: 1).first
            guard row?.hash == second.hash else {
                throw LostRow(log: "administration", head: second)
            }
        }
    }

    private struct LostRow: Error, CustomStringConvertible {
        let log: String
        let head: AuditAnchor.Head

        var description: String {
            "the audit of \(log) lost or changed its row \(head.row); run audit verify --head, and "
                + "move the file to continue"
        }
    }
}
