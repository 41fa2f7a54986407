import AdministrationStore
import ArgumentParser
import BehaviorStore
import Digests
import JSONCodec
import Plugboard

extension Audit {
    /// The command `audit verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks the audit logs for edited, removed, inserted or moved rows.",
            discussion: """
                Reads the document store directly; a server may be running on it. Each row's hash \
                covers the row and the previous hash. Documents, revisions, approvals, schedules \
                and rules are compared with the rows, and so are tokens and plugs; a folder of \
                documents has none. The \
                status is 1 if the check fails, or if the audit log is empty. An attacker with \
                write access to the whole store can replace the audit log with a consistent one, \
                or cut off its end. To detect that, store the last hash elsewhere, or the file of \
                serve --audit-head, and pass it as --head.
                """
        )

        @Option(
            "The last hash of an earlier check, or a file that audit head wrote. A log must contain it.",
            value: "hash|file"
        )
        var head: String?

        @Option("The key of the file's signature: a PEM file with an Ed25519 key.", value: "file")
        var key: String?

        @Flag(help: "Prints the result as JSON.")
        var json = false

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let stores = try store.open(mustExist: true)
            let expected = try ExpectedHeads(head, key)
            let administration = try await StoreOptions.explainingErrors {
                try await stores.administration?.checkAdministration(
                    expecting: expected.administration
                )
            }
            // A hash without a name may be that of either log.
            let isFound = expected.isEither && administration?.hasExpected == true
            let check = try await StoreOptions.explainingErrors {
                try await AuditCheck(
                    stores.behaviors,
                    expecting: isFound ? nil : expected.documents
                )
            }
            var findings = check.findings + (administration?.findings ?? [])
            if let hash = expected.administration, !expected.isEither,
                administration?.hasExpected != true
            {
                findings.append("administration: no row has the hash \(hash)")
            }
            if json {
                let heads = ["documents": (check.count, check.head.hash)].merging(
                    administration.map { ["administration": ($0.count, $0.hash)] } ?? [:]
                ) { $1 }
                Output.print(Self.json(of: findings, heads))
                guard findings.isEmpty, check.count > 0 else { throw ExitCode(1) }
                return
            }
            for finding in findings { Output.writeError(finding) }
            guard findings.isEmpty else { throw ExitCode(1) }
            if check.count > 0 {
                Output.print(
                    "\(counted(check.count, "row")), all unchanged; the last hash is "
                        + check.head.hash
                )
            }
            if let administration, administration.count > 0 {
                Output.print(
                    "administration: \(counted(administration.count, "row")), all unchanged; "
                        + "the last hash is \(administration.hash)"
                )
            }
            guard check.count > 0 else {
                throw Failure("the audit log is empty: this store has recorded no changes")
            }
        }

        /// Returns the result in JSON: the findings, and the rows and the last hash of each log.
        private static func json(
            of findings: [String],
            _ heads: [String: (count: Int, hash: String)]
        ) -> JSON {
            var result: JSON.Object = ["findings": .array(findings.map(JSON.string))]
            for (name, head) in heads.sorted(by: { $0.key > $1.key }) {
                result[name] = [
                    "rows": .number(JSON.Number(head.count)), "hash": .string(head.hash),
                ]
            }
            return .object(result)
        }
    }

    /// The command `audit head`.
    struct Head: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the last rows of the audit logs, to be stored elsewhere.",
            discussion: """
                The output is JSON for audit verify --head. With --key it is signed. A server does \
                the same after each change with --audit-head and --audit-key.
                """
        )

        @Option("A PEM file with an Ed25519 private key, which signs the output.", value: "file")
        var key: String?

        @OptionGroup var store: StoreOptions

        func run() async throws {
            let key = try key.map { path in
                KeyFile.warnOfExposure(path)
                do {
                    return try AuditAnchor.privateKey(path)
                } catch {
                    throw Failure("\(error)")
                }
            }
            let stores = try store.open(mustExist: true)
            var anchor = try await StoreOptions.explainingErrors {
                try await AuditAnchor(stores.behaviors, stores.administration)
            }
            if let key { anchor.sign(with: key) }
            Output.write(anchor.text)
        }
    }
}

/// The hashes that a verification expects.
private struct ExpectedHeads {
    /// The hash of a row of the documents' log.
    var documents: String?
    /// The hash of a row of the administration's log.
    var administration: String?
    /// Whether the hash may be that of either log.
    var isEither = false

    /// Reads the hash or the file of `--head`, and checks the file's signature with the key.
    init(_ head: String?, _ key: String?) throws {
        guard let head else {
            guard key == nil else { throw Failure.usage("--key needs --head with a file") }
            return
        }
        if Hexadecimal.isDigest(head) {
            guard key == nil else {
                throw Failure.usage("--key needs a file as --head: a hash has no signature")
            }
            (documents, administration, isEither) = (head, head, true)
            return
        }
        let anchor: AuditAnchor
        do {
            anchor = try JSON.decode(AuditAnchor.self, from: InputFile.read(head))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("--head: \(head) is neither a hash nor a file that `audit head` wrote")
        }
        if let key {
            do {
                guard try anchor.isSigned(by: AuditAnchor.key(key)) else {
                    throw Failure("\(head) isn't signed by the key of \(key)")
                }
            } catch let error as AuditAnchor.KeyError {
                throw Failure("\(error)")
            }
        } else if anchor.signature != nil {
            Output.writeError("the signature of \(head) isn't checked: give the key as --key")
        }
        documents = anchor.documents.row == 0 ? nil : anchor.documents.hash
        administration = anchor.administration.row == 0 ? nil : anchor.administration.hash
    }
}
