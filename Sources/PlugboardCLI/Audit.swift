import ArgumentParser
import BehaviorStore
import JSONCodec
import Plugboard
import PlugboardClient

/// The command `plugboard audit`.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Looks after what is written down of each change.",
        subcommands: [List.self, Verify.self]
    )
}

extension Audit {
    /// The command `plugboard audit list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists a server's rows of the audit, the newest first.",
            discussion: "It needs the scope audit:read."
        )

        @Option("How many, 100 at most.", value: "number")
        var limit = BehaviorDocuments.usualPage

        @Option("Only those below that row.", value: "number")
        var before: Int?

        @Option("Only those beyond that row, the oldest first.", value: "number")
        var after: Int?

        @OptionGroup var server: ServerOptions

        func run() async throws {
            var input = ListAudit.Input(before: before, after: after, limit: limit)
            // A page ends early where its rows are large.
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
                line: "\(row.row)  \(row.at)  \(row.change)  \(place)  "
                    + "by \(row.authorName ?? row.author)\(address)\(after)"
            )
        }
    }
}

extension Audit {
    /// The command `plugboard audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds rows of the audit that were edited, removed, inserted or moved.",
            discussion: """
                It reads what keeps the documents, whether a server runs on it or not. Each row's \
                hash covers the row and the hash before it, and documents, revisions, approvals, \
                schedules and rules are held against the rows. The status is 1 if something is \
                wrong, or if nothing was ever written down there. Whoever can write all of it anew can make another that is as good: note the \
                last hash elsewhere, and give it as --head.
                """
        )

        @Option("A hash that was the last one before: it has to be there.", value: "hash")
        var head: String?

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let keeping = try store.keeping(mustExist: true)
            let check = try await StoreOptions.telling {
                try await AuditCheck(keeping, expecting: head)
            }
            for finding in check.findings { Output.complain(finding) }
            guard check.findings.isEmpty else { throw ExitCode(1) }
            guard check.count > 0 else {
                throw Failure("there are no rows: nothing was ever written down at that place")
            }
            Output.print(
                "\(check.count) rows, as they were written; the last hash is \(check.head.hash)"
            )
        }
    }
}
