import JSONCodec

/// The results of all checks of `doctor`.
struct CheckReport: Equatable {
    let version: String
    let findings: [Finding]

    /// The gravest status.
    var status: Finding.Status { findings.map(\.status).max() ?? .ok }

    /// A line for each result, in columns, and a line with their numbers.
    var lines: [String] {
        let width = findings.map(\.check.count).max() ?? 0
        let lines = findings.map { finding in
            padded(finding.status.rawValue, to: 9) + padded(finding.check, to: width + 2)
                + finding.text
        }
        return lines + [summary]
    }

    private var summary: String {
        func count(_ status: Finding.Status) -> Int { findings.count { $0.status == status } }
        return "\(counted(findings.count, "check")): \(count(.ok)) ok, "
            + "\(counted(count(.warning), "warning")), \(counted(count(.error), "error"))"
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The results for scripts.
    var json: JSON {
        let checks = findings.map { finding in
            var members: [(String, JSON)] = [
                ("check", .string(finding.check)),
                ("status", .string(finding.status.rawValue)),
                ("message", .string(finding.message)),
            ]
            if let remedy = finding.remedy { members.append(("remedy", .string(remedy))) }
            return JSON.object(JSON.Object(members))
        }
        return .object(
            JSON.Object([
                ("version", .string(version)), ("status", .string(status.rawValue)),
                ("checks", .array(checks)),
            ])
        )
    }

    /// Returns the command's exit status: 1 for an error, and 2 for a warning if `isStrict` is set.
    func exitStatus(isStrict: Bool) -> Int32 {
        switch status {
        case .ok: 0
        case .warning: isStrict ? 2 : 0
        case .error: 1
        }
    }
}
