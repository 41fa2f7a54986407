import Eventually
import Foundation
import Locking
import System
import TestLog
import Testing

@testable import Plugboard

@Suite("Swaps of the public folder", .timeLimit(.minutes(2)))
struct FollowedFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a release, each of whose files says its number.
    private func make(_ number: Int, at name: String) throws {
        try folder.write(name + "/page.txt", "\(number)")
        try folder.write(name + "/page.txt.gz", "\(number)")
    }

    private func rename(_ name: String, to other: String) throws {
        try #require(Foundation.rename(folder[name], folder[other]) == 0)
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder[name])
    }

    private func swapLink(to name: String) throws {
        try folder.link("new", to: name)
        try rename("new", to: "current")
    }

    private static func number(_ file: PublicFolder.File?) -> Int? {
        guard let file, let bytes = file.descriptor.read(0..<file.size) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
    }

    /// The number of the release that a request gets; nil if the page is missing, or a mixture.
    private static func served(_ files: PublicFolder) -> Int? {
        let path = Array("/page.txt".utf8)
        guard case .file(let file) = path.withUnsafeBufferPointer(files.lookUp) else { return nil }
        let number = number(file)
        // Deleted meanwhile, it is not there; it is never another release's.
        guard let coded = files.gzip(of: file) else { return number }
        return Self.number(coded) == number ? number : nil
    }

    /// Requests pages while `swap` replaces a release by the next one, again and again.
    private func expectNoGap(_ files: PublicFolder, swap: (Int) throws -> Void) async throws {
        let isDone = Locked(false)
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    var last = 0
                    while !isDone.withLock({ $0 }) {
                        let number = try #require(Self.served(files))
                        #expect(number >= last)
                        last = number
                        await Task.yield()
                    }
                }
            }
            defer { isDone.withLock { $0 = true } }
            for number in 1...30 {
                try swap(number)
                // The release before is deleted: this request follows the swap, before the next one begins.
                #expect(Self.served(files) == number)
            }
            isDone.withLock { $0 = true }
            try await group.waitForAll()
        }
    }

    @Test(
        "each request gets one whole release while a link swaps them and old ones are deleted",
        arguments: [true, false]
    )
    func link(asksKernel: Bool) async throws {
        try make(0, at: "release-0")
        try swapLink(to: "release-0")
        let files = try PublicFolder(path: folder["current"], asksKernel: asksKernel)
        try await expectNoGap(files) { number in
            try make(number, at: "release-\(number)")
            try swapLink(to: "release-\(number)")
            try remove("release-\(number - 1)")
        }
    }

    @Test("each request gets one whole release while renames swap them and old ones are deleted")
    func renames() async throws {
        try make(0, at: "current")
        let files = try PublicFolder(path: folder["current"])
        try await expectNoGap(files) { number in
            try make(number, at: "next")
            try rename("current", to: "before")
            try rename("next", to: "current")
            try remove("before")
        }
    }

    @Test("a swap is detected while the previous folder still exists")
    func watch() async throws {
        for number in 0...1 { try make(number, at: "release-\(number)") }
        try swapLink(to: "release-0")
        let files = try PublicFolder(path: folder["current"])
        let watch = Task { await files.watch() }
        #expect(Self.served(files) == 0)
        try swapLink(to: "release-1")
        try await eventually("the next release is served") { Self.served(files) == 1 }
        watch.cancel()
        await watch.value
    }

    @Test("a new folder with private files isn't served, and the reason is logged once")
    func privateFiles() async throws {
        try make(0, at: "release-0")
        try make(1, at: "release-1")
        try make(2, at: "private")
        try swapLink(to: "release-0")
        let journal = Journal()
        var server = Server(logger: journal.logger) {}
        server.configuration.publicFolder = folder["current"]
        server.configuration.dataFolder = folder["private/data"]
        try await serving(server) { site in
            #expect(try await site.get("/page.txt").text == "0")
            try swapLink(to: "private")
            try folder.write("private/data/secret.txt", "secret")
            for _ in 0..<2 {
                // A missing file looks for a swap.
                #expect(try await site.get("/data/secret.txt").status == 404)
                #expect(try await site.get("/page.txt").text == "0")
            }
            try swapLink(to: "release-1")
            #expect(try await site.get("/missing").status == 404)
            #expect(try await site.get("/page.txt").text == "1")
        }
        let lines = journal.lines.filter { $0.contains("the previous public folder stays") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("private/data") == true)
    }

    @Test("a broken link leaves the previous folder live, and the next swap is detected")
    func nowhere() throws {
        for number in 0...1 { try make(number, at: "release-\(number)") }
        try swapLink(to: "release-0")
        let files = try PublicFolder(path: folder["current"])
        try swapLink(to: "nowhere")
        #expect(Self.served(files) == 0)
        try remove("release-0")
        #expect(Self.served(files) == nil)
        try swapLink(to: "release-1")
        #expect(Self.served(files) == 1)
    }
}
