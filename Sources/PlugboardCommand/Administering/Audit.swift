import ArgumentParser
import BehaviorStore
import JSONCodec
import Plugboard
import PlugboardClient

/// The command `audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Lists and verifies the audit log of behavior documents.",
        subcommands: [List.self, Verify.self]
    )
}

extension Audit {
    /// The command `audit list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists a server's audit rows, newest first.",
            discussion: "The token needs the scope audit:read."
        )

        @Option("The number of rows, at most 100.", value: "number")
        var limit = BehaviorDocuments.usualPage

        @Option("Lists only rows before this row number.", value: "number")
        var before: Int?

        @Option("Lists only rows after this row number, oldest first.", value: "number")
        var after: Int?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            var input = ListAudit.Input(before: before, after: after, limit: limit)
            // The server shortens a page of large rows.
            var left = limit
            repeat {
                input.limit = left
                let page = try await server.send(ListAudit.self, input)
                guard let last = page.last else { return }
                for row in page { Self.print(row) }
                if after == nil { input.before = last.row } else { input.after = last.row }
                left -= page.count
            } while left > 0 && (after != nil || input.before != 1)
        }

        private static func print(_ row: AuditReport) {
            let place = [row.name, row.environment].compactMap(\.self).joined(separator: " in ")
            let address = row.address.map { " from \($0)" } ?? ""
            let after = row.after.map { "  \($0)" } ?? ""
            Output.print(
                "\(row.row)  \(row.at)  \(row.change)  \(place)  "
                    + "by \(row.authorName ?? row.author)\(address)\(after)"
            )
        }
    }
}

extension Audit {
    /// The command `audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks the audit log for edited, removed, inserted or moved rows.",
            discussion: """
                Reads the document store directly; a server may be running on it. Each row's hash \
                covers the row and the previous hash. Documents, revisions, approvals, schedules \
                and rules are compared with the rows. The status is 1 if the check fails, or if \
                the audit log is empty. An attacker with write access to the whole store can \
                replace the audit log with a consistent one. To detect that, note the last hash \
                elsewhere and pass it as --head.
                """
        )

        @Option("The last hash of an earlier check. The audit log must contain it.", value: "hash")
        var head: String?

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let backend = try store.backend(mustExist: true)
            let check = try await StoreOptions.explainingErrors {
                try await AuditCheck(backend, expecting: head)
            }
            for finding in check.findings { Output.writeError(finding) }
            guard check.findings.isEmpty else { throw ExitCode(1) }
            guard check.count > 0 else {
                throw Failure("the audit log is empty: this store has recorded no changes")
            }
            Output.print(
                "\(check.count) rows, all unchanged; the last hash is \(check.head.hash)"
            )
        }
    }
}
