import System
import Glibc
import HTTPSyntax
import HTTPServer
import Testing

@testable import Plugboard

@Suite("The public folder without openat2")
struct UnguardedFolderTests {
    private let folder: TemporaryFolder
    private let files: PublicFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret.txt", "secret")
        try folder.write("public/page.txt", "a page")
        try folder.write("public/sub/deep/page.txt", "a page below")
        try folder.link("public/inside.txt", to: "page.txt")
        try folder.link("public/outside.txt", to: "../secret.txt")
        try folder.link("public/up", to: "..")
        try folder.link("public/sub/up", to: "../..")
        files = try PublicFolder(path: folder["public"], asksKernel: false)
    }

    private func lookUp(_ path: String) -> PublicFolder.LookupResult {
        Array(path.utf8).withUnsafeBufferPointer { files.lookUp($0) }
    }

    @Test("files are found at any depth", arguments: ["/page.txt", "/sub/deep/page.txt"])
    func found(path: String) throws {
        guard case .file(let file) = lookUp(path) else {
            Issue.record("no file")
            return
        }
        #expect(file.size == (path == "/page.txt" ? 6 : 12))
        let bytes = file.descriptor.read(0..<file.size)
        #expect(bytes?.starts(with: Array("a page".utf8)) == true)
    }

    @Test(
        "links aren't followed, and special files aren't found",
        arguments: [
            "/inside.txt", "/outside.txt", "/up/secret.txt", "/up/public/page.txt",
            "/sub/up/secret.txt",
            "/none", "/none/page.txt", "/page.txt/", "/page.txt/x", "/..", "/sub/../page.txt",
            "//page.txt",
        ]
    )
    func missing(path: String) {
        guard case .missing = lookUp(path) else {
            Issue.record("something was found")
            return
        }
    }

    @Test("a folder is distinguished from a file", arguments: ["/sub", "/sub/deep"])
    func folder(path: String) {
        guard case .folder = lookUp(path) else {
            Issue.record("no folder")
            return
        }
    }

    @Test("an unreadable file is forbidden", .enabled(if: getuid() != 0))
    func forbidden() {
        chmod(folder["public/page.txt"], 0)
        guard case .forbidden = lookUp("/page.txt") else {
            Issue.record("not forbidden")
            return
        }
    }
}
