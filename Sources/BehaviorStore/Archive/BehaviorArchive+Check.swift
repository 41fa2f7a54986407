extension BehaviorArchive {
    /// The most findings in an error without a line.
    private static let maximumCount = 5

    /// Checks the contents against the audit's rows.
    ///
    /// - Throws: ``Invalid``.
    func check() async throws {
        let check = try await AuditCheck(ArchivedBehaviors(self))
        guard !check.findings.isEmpty else { return }
        var findings = check.findings.prefix(Self.maximumCount).joined(separator: "; ")
        let rest = check.findings.count - Self.maximumCount
        if rest > 0 { findings += "; and \(rest) more" }
        throw Invalid(reason: findings)
    }
}
