import ArgumentParser
import BehaviorStore
import JSONCodec
import Plugboard
import PlugboardClient

/// The command `audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Lists and verifies the audit logs of documents and of the administration.",
        subcommands: [List.self, Verify.self, Head.self]
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

        @Option("The log: documents, or administration for tokens and plugs.", value: "name")
        var log = "documents"

        @OptionGroup var server: ServerOptions

        func run() async throws {
            var input = ListAudit.Input(before: before, after: after, limit: limit, log: log)
            // The server shortens a page of large rows.
            var left = limit
            var rows: [AuditReport] = []
            repeat {
                input.limit = left
                let page = try await server.request(ListAudit.self, input)
                guard let last = page.last else { break }
                if server.json { rows += page } else { page.forEach(Self.print) }
                if after == nil { input.before = last.row } else { input.after = last.row }
                left -= page.count
            } while left > 0 && (after != nil || input.before != 1)
            try server.finish(with: rows)
        }

        private static func print(_ row: AuditReport) {
            let place = [row.name, row.environment].compactMap(\.self).joined(separator: " in ")
            let address = row.address.map { " from \($0)" } ?? ""
            let after = (row.after ?? row.before).map { "  \($0)" } ?? ""
            Output.print(
                "\(row.row)  \(row.at)  \(row.change)  \(place)  "
                    + "by \(row.authorName ?? row.author)\(address)\(after)"
            )
        }
    }
}
