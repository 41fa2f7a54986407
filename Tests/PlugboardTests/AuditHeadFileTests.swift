import AdministrationStore
import Foundation
import GRDB
import Identity
import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Storage
import TestLog
import Testing

@Suite("The file with the audits' last rows")
struct AuditHeadFileTests {
    private let folder: TemporaryFolder
    private let journal = Journal()
    private let storage: Storage

    init() throws {
        folder = try TemporaryFolder()
        storage = Storage.of(folder["data"])
        try folder.write(
            "key.pem",
            """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
            -----END PRIVATE KEY-----

            """
        )
    }

    private var head: String { folder["head.json"] }

    private func text() throws -> String { try String(contentsOfFile: head, encoding: .utf8) }

    /// Runs a server until it has stopped; changes the audit while it serves.
    private func run(
        isSigning: Bool = true,
        _ change: () async throws -> Void = {}
    ) async throws {
        var server = Server(logger: journal.logger) {}
        server.configuration.port = 0
        server.configuration.loops = 1
        server.configuration.handlesSignals = false
        server.configuration.dataFolder = folder["data"]
        server.configuration.auditHead = .init(path: head, key: isSigning ? folder["key.pem"] : nil)
        let running = try server.start()
        let end = Task { try await running.run() }
        try await change()
        running.drain()
        try await end.value
    }

    private func makeToken() async throws {
        _ = try await TokenStore(storage).create(name: "bob", scopes: ["a"])
    }

    @Test("has the row of a change just before the server stops")
    func lastChange() async throws {
        try await run { for _ in 0..<3 { try await makeToken() } }
        let key = try AuditAnchor.privateKey(folder["key.pem"])
        let first = try JSON.decode(AuditAnchor.self, from: text().utf8)
        #expect(first.administration.row == 3 && first.isSigned(by: key))
        try await run { try await makeToken() }
        let second = try JSON.decode(AuditAnchor.self, from: text().utf8)
        #expect(second.administration.row == 4 && second.isSigned(by: key))
        #expect(!journal.lines.contains { $0.contains("the head isn't written") })
    }

    @Test(
        "is a start-up error with a remedy if it has another format, and stays unchanged",
        arguments: ["", "{}", "not JSON", #"{"at":"2026-11-22T08:00:00Z"}"#]
    )
    func format(content: String) async throws {
        try folder.write("head.json", content)
        let error = await #expect(throws: StartError.self) { try await run() }
        #expect(error?.problems.count == 1)
        #expect(error?.problems.first?.contains("\(head) has another format") == true)
        #expect(error?.problems.first?.contains("move the file to continue") == true)
        #expect(try text() == content)
    }

    @Test("is a start-up error with a remedy if it is unreadable")
    func unreadable() async throws {
        try folder.write("head.json/file", "")
        let error = await #expect(throws: StartError.self) { try await run() }
        #expect(error?.problems.first?.contains("\(head) can't be read") == true)
        #expect(error?.problems.first?.contains("move the file to continue") == true)
    }

    @Test("stays unchanged if it has another signature, and the reason is logged once")
    func signature() async throws {
        try await makeToken()
        var anchor = try await AuditAnchor(nil, SQLiteAdministration(storage))
        for signature in [nil, "", "AAAA"] as [String?] {
            anchor.signature = signature
            let content = String(decoding: anchor.text, as: UTF8.self)
            try folder.write("head.json", content)
            let count = journal.lines.count
            try await run { try await makeToken() }
            #expect(try text() == content)
            let reasons = journal.lines.dropFirst(count).filter {
                $0.contains("isn't signed by the audit key")
            }
            #expect(reasons.count == 1)
            #expect(reasons.first?.contains("move the file to continue") == true)
        }
    }

    @Test("stays unchanged if it is signed and the server has no key, and is updated with the key")
    func lostKey() async throws {
        try await run { try await makeToken() }
        let content = try text()
        try await run(isSigning: false) { try await makeToken() }
        #expect(try text() == content)
        let reasons = journal.lines.filter {
            $0.contains("is signed, but the server has no audit key")
        }
        #expect(reasons.count == 1)
        try await run()
        let last = try JSON.decode(AuditAnchor.self, from: text().utf8)
        #expect(last.administration.row == 2)
        #expect(last.isSigned(by: try AuditAnchor.privateKey(folder["key.pem"])))
    }

    @Test("is written by one server, and the start of a second one fails with a remedy")
    func locked() async throws {
        try await run {
            let error = await #expect(throws: StartError.self) { try await run() }
            #expect(error?.problems.count == 1)
            #expect(error?.problems.first?.contains("Another server writes the audit head") == true)
            #expect(error?.problems.first?.contains("Choose another file") == true)
        }
        try await run { try await makeToken() }
        let last = try JSON.decode(AuditAnchor.self, from: text().utf8)
        #expect(last.administration.row == 1)
    }

    @Test("stays unchanged if the audit has lost rows")
    func cut() async throws {
        try await makeToken()
        try await run()
        let content = try text()
        try await storage.write(.administration) { database in
            try database.execute(sql: "DELETE FROM administrationAudit")
        }
        try await run()
        #expect(try text() == content)
        let reasons = journal.lines.filter { $0.contains("lost or changed its row 1") }
        #expect(reasons.count == 1)
    }
}
