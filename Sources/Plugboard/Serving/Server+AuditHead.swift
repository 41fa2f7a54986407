import BehaviorStore
import System

extension Server.Configuration {
    /// The file that gets the audits' last rows, and the key that signs them.
    public struct AuditHead: Sendable, Equatable {
        /// The file's path; another machine should copy it, or own it.
        public var path: String
        /// The PEM file of an Ed25519 private key; nil for no signature.
        public var key: String?

        /// Makes the settings of a file.
        public init(path: String, key: String? = nil) {
            self.path = path
            self.key = key
        }
    }
}

extension Server {
    /// Takes the lock on the audit head; nil if the configuration has no file.
    ///
    /// Two servers would replace each other's rows, and each would report the other's as lost.
    func lockAuditHead() throws -> FileLock.Held? {
        guard let path = configuration.auditHead?.path else { return nil }
        let lock: FileLock.Held?
        do throws(FileError) {
            lock = try FileLock.take(path + ".lock")
        } catch {
            throw AuditHeadProblem("The audit head \(path) can't be locked: \(error)")
        }
        guard let lock else {
            throw AuditHeadProblem(
                "Another server writes the audit head \(path). Choose another file with "
                    + "--audit-head, or stop that server."
            )
        }
        return lock
    }

    private struct AuditHeadProblem: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

extension RunningServer {
    /// The writer of the audits' last rows; nil if the configuration has no file.
    var auditHeadWriter: AuditAnchorWriter? {
        server.configuration.auditHead.map { settings in
            AuditAnchorWriter(
                path: settings.path,
                key: parts.auditKey,
                backend: parts.authored?.backend,
                administration: parts.administration?.backend,
                logger: server.logger
            )
        }
    }
}
