import Foundation
import Testing

@testable import PlugboardCommand

@Suite("A command's output file")
struct OutputFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "output-\(UUID().uuidString)"
    )

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    @Test("pieces become one file, which only its owner can read")
    func pieces() async throws {
        try await OutputFile.write(path("a")) { file in
            try file.write(Array("one ".utf8))
            try file.write(Array("two".utf8))
        }
        #expect(try text("a") == "one two" && names() == ["a"])
        #expect(try mode("a") == 0o600)
    }

    @Test("an existing file keeps its mode")
    func existing() async throws {
        #expect(FileManager.default.createFile(atPath: path("a"), contents: Data("old".utf8)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: path("a")
        )
        try await OutputFile.write(path("a")) { try $0.write(Array("new".utf8)) }
        #expect(try text("a") == "new" && mode("a") == 0o640)
    }

    @Test("the previous file stays if writing fails, and no temporary file remains")
    func failure() async throws {
        #expect(FileManager.default.createFile(atPath: path("a"), contents: Data("old".utf8)))
        await #expect(throws: CancellationError.self) {
            try await OutputFile.write(path("a")) { file in
                try file.write(Array("half".utf8))
                throw CancellationError()
            }
        }
        #expect(try text("a") == "old" && names() == ["a"])
    }

    @Test("the target of a link is replaced, not the link")
    func link() async throws {
        #expect(FileManager.default.createFile(atPath: path("a"), contents: Data("old".utf8)))
        try FileManager.default.createSymbolicLink(
            atPath: path("link"),
            withDestinationPath: "a"
        )
        try await OutputFile.write(path("link")) { try $0.write(Array("new".utf8)) }
        #expect(try text("a") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "a")
    }

    @Test("a folder, a circle of links and a missing folder are failures with the path")
    func invalid() throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: path("b"), withDestinationPath: "c")
        try manager.createSymbolicLink(atPath: path("c"), withDestinationPath: "b")
        for name in [".", "b", "missing/a"] {
            let error = #expect(throws: Failure.self) { try OutputFile(path(name)) }
            #expect(error?.description.hasPrefix(path(name)) == true, "\(name)")
        }
    }
}
