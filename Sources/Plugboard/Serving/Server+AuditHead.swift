import BehaviorStore

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

extension RunningServer {
    /// Writes the audits' last rows until the task is cancelled, if the configuration has a file.
    func writeAuditHeads() async {
        guard let settings = server.configuration.auditHead else { return }
        await AuditAnchorWriter(
            path: settings.path,
            key: parts.auditKey,
            backend: parts.authored?.backend,
            storage: parts.data?.storage,
            logger: server.logger
        ).run()
    }
}
