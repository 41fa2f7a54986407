import Foundation
import Glibc
import Testing

@testable import PlugboardCommand

@Suite("The check of public files")
struct PublishedFilesTests {
    @Test("files that are never served don't count; keys and databases are named")
    func content() throws {
        let folder = try TemporaryFolder()
        let deep = folder["site/a/b"]
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let hidden = folder["site/.git"]
        try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
        _ = try folder.write("site/index.html", "a")
        _ = try folder.write("site/a/b/c.pem", "-----BEGIN CERTIFICATE-----")
        _ = try folder.write("site/.git/config", "a")
        let plain = PublishedFiles(in: folder["site"])
        #expect(plain.count == 2)
        #expect(plain.secret == [])
        #expect(plain.unreadable == [])
        #expect(
            ServerChecks.published(plain, in: "site")
                == [.ok("public folder", "site is readable, with 2 files")]
        )

        let key = try folder.write("site/a/b/d.pem", "-----BEGIN EC PRIVATE KEY-----\n")
        let database = try folder.write("site/likes.sqlite", "")
        let found = PublishedFiles(in: folder["site"])
        #expect(found.secret.sorted() == [key, database].sorted())
        let findings = ServerChecks.published(found, in: "site")
        #expect(findings.map(\.status) == [.warning])
        #expect(findings.first?.message.contains(" and 1 more, a key or a database") == true)
    }

    @Test("pages with the console's origin are a warning, other files aren't")
    func pages() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("index.HTML", "a")
        _ = try folder.write("behaviors.json", "[]")
        let files = PublishedFiles(in: folder[""])
        #expect(files.pages == [folder[""] + "/index.HTML"])
        let findings = ServerChecks.published(files, in: folder[""], besideConsole: true)
        #expect(findings.map(\.status) == [.warning])
        #expect(findings.first?.text.contains("--administration operations-port") == true)
        #expect(ServerChecks.published(files, in: folder[""]).map(\.status) == [.ok])
    }

    @Test("a link to its own folder ends")
    func link() throws {
        let folder = try TemporaryFolder()
        let path = folder["site"]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/again",
            withDestinationPath: path
        )
        #expect(PublishedFiles(in: path).count == 1)
    }

    @Test("a missing folder is unreadable")
    func missing() {
        let found = PublishedFiles(in: "/none")
        #expect(found.unreadable == ["/none"])
        #expect(ServerChecks.published(found, in: "/none").map(\.status) == [.warning])
    }
}
