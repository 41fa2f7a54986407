import Foundation
import System
import Glibc
import HTTPSyntax
import HTTPServer
import Testing

@testable import Plugboard

/// Each rule holds with the kernel's lookup and without it.
@Suite("The public folder with and without openat2")
struct StepwiseLookupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("secret.txt", "secret")
        try folder.write("public/page.txt", "a page")
        try folder.write("public/sub/deep/page.txt", "a page below")
        try folder.write("public/..2026/page.txt", "a page of a ConfigMap")
        for (link, target) in [
            ("inside.txt", "page.txt"), ("twice.txt", "inside.txt"), ("shortcut", "sub/deep"),
            ("sub/deep/back.txt", "../../page.txt"), ("dotted.txt", "./sub//deep/../deep/page.txt"),
            ("..data", "..2026"), ("mapped.txt", "..data/page.txt"), ("slashed", "sub/deep/"),
            ("here", "."),
            ("outside.txt", "../secret.txt"), ("up", ".."), ("sub/up", "../.."),
            ("around.txt", "../public/page.txt"), ("absolute.txt", folder["public/page.txt"]),
            ("proc", "/proc/self"), ("loop", "loop"), ("even", "odd"), ("odd", "even"),
            ("dangling.txt", "none.txt"), ("file.txt", "page.txt/"), ("through.txt", "page.txt/x"),
            ("bare", "../.."),
        ] {
            try folder.link("public/" + link, to: target)
        }
        // A chain of 40 links is followed, as the kernel does; one of 41 isn't.
        try folder.link("public/chain1", to: "page.txt")
        for link in 2...41 { try folder.link("public/chain\(link)", to: "chain\(link - 1)") }
    }

    private func lookUp(_ path: String, _ asksKernel: Bool) throws -> PublicFolder.LookupResult {
        let files = try PublicFolder(path: folder["public"], asksKernel: asksKernel)
        return Array(path.utf8).withUnsafeBufferPointer { files.lookUp($0) }
    }

    @Test(
        "files are found at any depth, and by links that stay within the folder",
        arguments: [
            "/page.txt", "/sub/deep/page.txt", "/inside.txt", "/twice.txt", "/shortcut/page.txt",
            "/sub/deep/back.txt", "/shortcut/back.txt", "/dotted.txt", "/mapped.txt",
            "/slashed/page.txt", "/here/page.txt", "/here/here/sub/deep/page.txt", "/chain40",
        ],
        [true, false]
    )
    func found(path: String, asksKernel: Bool) throws {
        guard case .file(let file) = try lookUp(path, asksKernel) else {
            Issue.record("no file")
            return
        }
        #expect(file.descriptor.read(0..<file.size)?.starts(with: Array("a page".utf8)) == true)
    }

    @Test(
        "nothing outside the folder is found, nor a special file",
        arguments: [
            "/outside.txt", "/up/secret.txt", "/up/public/page.txt", "/sub/up/secret.txt",
            "/around.txt", "/absolute.txt", "/proc/cmdline", "/bare/etc/passwd",
            "/loop", "/even", "/loop/page.txt", "/dangling.txt", "/file.txt", "/through.txt",
            "/chain41", "/..data/page.txt", "/..2026/page.txt",
            "/none", "/none/page.txt", "/page.txt/", "/page.txt/x", "/inside.txt/x", "/..",
            "/sub/../page.txt", "//page.txt",
        ],
        [true, false]
    )
    func missing(path: String, asksKernel: Bool) throws {
        guard case .missing = try lookUp(path, asksKernel) else {
            Issue.record("something was found")
            return
        }
    }

    @Test(
        "a folder is distinguished from a file",
        arguments: ["/sub", "/sub/deep", "/shortcut", "/slashed", "/here"],
        [true, false]
    )
    func folder(path: String, asksKernel: Bool) throws {
        guard case .folder = try lookUp(path, asksKernel) else {
            Issue.record("no folder")
            return
        }
    }

    @Test("a link to a name that isn't UTF-8 is followed", arguments: [true, false])
    func bytes(asksKernel: Bool) throws {
        let name: [CChar] = [0x78, -1, 0]
        let root = try FileDescriptor(#require(opened(folder["public"])))
        let raw = openat(root.raw, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        try #require(raw >= 0 && write(raw, "a page", 6) == 6 && close(raw) == 0)
        try #require(symlinkat(name, root.raw, "bytes.txt") == 0)
        guard case .file(let file) = try lookUp("/bytes.txt", asksKernel) else {
            Issue.record("no file")
            return
        }
        #expect(file.size == 6)
    }

    private func opened(_ path: String) -> CInt? {
        let raw = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return raw < 0 ? nil : raw
    }

    @Test("a lookup leaves no descriptor open", arguments: [true, false])
    func descriptors(asksKernel: Bool) throws {
        let files = try PublicFolder(path: folder["public"], asksKernel: asksKernel)
        for path in ["/here/here/sub/deep/page.txt", "/sub/deep/back.txt", "/loop", "/outside.txt"]
        {
            _ = Array(path.utf8).withUnsafeBufferPointer { files.lookUp($0) }
        }
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))
                ?? ""
        }
        #expect(!links.contains { $0.hasPrefix(folder["public/sub"]) })
    }

    @Test(
        "an unreadable file is forbidden",
        .enabled(if: getuid() != 0),
        arguments: [true, false]
    )
    func forbidden(asksKernel: Bool) throws {
        chmod(folder["public/page.txt"], 0)
        guard case .forbidden = try lookUp("/page.txt", asksKernel) else {
            Issue.record("not forbidden")
            return
        }
    }
}
