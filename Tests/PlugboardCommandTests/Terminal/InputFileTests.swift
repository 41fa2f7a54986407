import Foundation
import Testing

@testable import PlugboardCommand

@Suite("A command's input file")
struct InputFileTests {
    private func file(_ bytes: [UInt8]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "input-\(UUID().uuidString)"
        ).path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("the pieces have the file's bytes, and nil follows the last one")
    func pieces() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try InputFile(file(bytes))
        var read: [UInt8] = []
        while let piece = try file.next() {
            #expect(piece.count <= 64 << 10)
            read += piece
        }
        #expect(read == bytes)
        #expect(try file.next() == nil)
    }

    @Test("a file of the maximum size is read, and a larger one is an error")
    func maximum() throws {
        let path = try file([1, 2, 3])
        #expect(try InputFile.read(path, maximum: 3) == [1, 2, 3])
        let error = #expect(throws: Failure.self) { try InputFile.read(path, maximum: 2) }
        #expect(error?.description.hasPrefix("\(path) can't be read: ") == true)
    }

    @Test("a missing file and a folder are errors with the path and the reason")
    func unreadable() {
        let missing = #expect(throws: Failure.self) { try InputFile.read("/nowhere/a") }
        #expect(missing?.description == "/nowhere/a can't be read: No such file or directory")
        let folder = #expect(throws: Failure.self) { try InputFile.read("/") }
        #expect(folder?.description == "/ can't be read: Is a directory")
    }

    // RFC 8259 §8.1: JSON between systems is UTF-8.
    @Test("text must be UTF-8, and an error has the file's path")
    func text() throws {
        #expect(try InputFile.text(file(Array("{\"é\": 1}".utf8))) == "{\"é\": 1}")
        let path = try file(Array("{\"".utf8) + [0xFF] + Array("\": 1}".utf8))
        let error = #expect(throws: Failure.self) { try InputFile.text(path) }
        #expect(error?.description.hasPrefix(path) == true)
    }
}
