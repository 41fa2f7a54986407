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
    /// The writer of the audits' last rows; nil if the configuration has no file.
    var auditHeadWriter: AuditAnchorWriter? {
        server.configuration.auditHead.map { settings in
            AuditAnchorWriter(
                path: settings.path,
                key: parts.auditKey,
                backend: parts.authored?.backend,
                storage: parts.data?.storage,
                logger: server.logger
            )
        }
    }
}
