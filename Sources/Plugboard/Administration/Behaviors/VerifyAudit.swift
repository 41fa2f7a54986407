import AdministrationStore
import BehaviorStore
import Locking
import Plug
import PlugHTTP

/// The result of an audit's verification.
package struct AuditVerification: Codable, Sendable, Equatable {
    /// One audit's result.
    package struct Log: Codable, Sendable, Equatable {
        /// The number of rows.
        package var rows: Int
        /// The last row's hash; zeros without rows.
        package var hash: String
        /// The edited, removed, inserted or moved rows, a sentence each, at most a hundred.
        package var findings: [String]
    }

    /// Whether all rows of both audits are unchanged, and the stores match them.
    package var isUnchanged: Bool
    /// The documents' audit.
    package var documents: Log
    /// The audit of tokens and plugs; nil if there is none yet.
    package var administration: Log?

    private enum CodingKeys: String, CodingKey {
        case isUnchanged = "unchanged", documents, administration
    }
}

/// Verifies the audits: that no row was edited, removed, inserted or moved.
///
/// It reads all rows, as `audit verify` does. An attacker with write access to the whole store can
/// replace the rows and all hashes. To detect that, compare the last hashes with those of an earlier
/// time.
package class VerifyAudit: Action<Void, AuditVerification>, GET, Scoped {
    package static var path: String { "/audit/verification" }
    package static var scopes: Scopes { .readAudit }
}

extension ExposedAction {
    /// The action that verifies a store's audit and that of the administration, one call at a time.
    static func verification(
        of documents: BehaviorDocuments,
        _ administration: (any AdministrationBackend)?
    ) -> ExposedAction {
        let queue = WorkQueue(workers: 1)
        return ExposedAction(own: VerifyAudit.self, .json(location: nil), in: queue) {
            let check = try await AuditCheck(documents.backend)
            let other = try await administration?.checkAdministration()
            return AuditVerification(
                isUnchanged: check.findings.isEmpty && other?.findings.isEmpty != false,
                documents: .init(
                    rows: check.count,
                    hash: check.head.hash,
                    findings: check.findings
                ),
                administration: other.map {
                    .init(rows: $0.count, hash: $0.hash, findings: $0.findings)
                }
            )
        }
    }
}
