import SeededNumbers
import Testing

@testable import BehaviorClient

@Suite("The files of a storage")
struct StorageFilesTests {
    let folder = TemporaryFolder()

    private func open() throws(StorageError) -> StorageFiles {
        try StorageFiles(BehaviorStorage(folder: folder.path))
    }

    @Test("return the last mark and the state at the next opening")
    func roundTrip() throws {
        var mark = RunMarkTests.whole
        var state = StoredState()
        do {
            let files = try open()
            #expect(files.foundMark == nil)
            #expect(files.readState() == StoredState())
            for run in 1...5 {
                mark.run = UInt64(run)
                #expect(files.write(mark))
            }
            _ = state.crashGuard.start(after: mark, Lifecycle(lastEnd: .crash))
            try files.write(state)
        }
        let files = try open()
        #expect(files.foundMark == mark)
        #expect(files.readState() == state)
        #expect(state.crashGuard.crashes == 1)
    }

    @Test("return the mark before, if the last write was cut at any byte")
    func tornMark() throws {
        var marks: [RunMark] = []
        do {
            let files = try open()
            for run in 1...2 {
                var mark = RunMarkTests.whole
                mark.run = UInt64(run)
                marks.append(mark)
                #expect(files.write(mark))
            }
        }
        // The second record is at the beginning: writes alternate.
        let whole = try folder.read("mark")
        let size = CheckedBytes.headSize + marks[1].bytes.count
        for count in stride(from: 0, to: size, by: 7) {
            var torn = whole
            for place in count..<size { torn[place] ^= 0xFF }
            try folder.write(torn, "mark")
            #expect(try open().foundMark == marks[0])
        }
        try folder.write(whole, "mark")
        #expect(try open().foundMark == marks[1])
    }

    @Test("treat random and cut files as missing")
    func garbage() throws {
        do {
            let files = try open()
            try files.write(StoredState())
            #expect(files.write(RunMarkTests.whole))
        }
        let state = try folder.read("state")
        var numbers = SeededNumbers(seed: 2)
        for number in 0..<300 {
            var bytes = (0..<Int.random(in: 0..<9_000, using: &numbers)).map { _ in
                UInt8.random(in: .min ... .max, using: &numbers)
            }
            if number.isMultiple(of: 3) { bytes = Array(repeating: 0xFF, count: bytes.count) }
            try folder.write(bytes, "mark")
            try folder.write(number.isMultiple(of: 2) ? bytes : state.dropLast(number), "state")
            let files = try open()
            #expect(files.foundMark == nil)
            #expect(files.readState() == StoredState())
            #expect(files.write(RunMarkTests.whole))
        }
    }

    @Test("return no document with other bytes")
    func damagedDocument() throws {
        let files = try open()
        let entry = StoredDocuments.Entry(
            revision: ContentHash.text(of: Array("[]".utf8)),
            context: "",
            file: 0
        )
        #expect(files.readDocument(entry, limit: 100) == nil)
        try files.writeDocument(Array("[]".utf8), file: 0)
        #expect(files.readDocument(entry, limit: 100) == Array("[]".utf8))
        #expect(files.readDocument(entry, limit: 1) == nil)
        try folder.write(Array("[[".utf8), "document-0.json")
        #expect(files.readDocument(entry, limit: 100) == nil)
    }

    @Test("belong to one process at a time")
    func exclusive() throws {
        let files = try open()
        #expect(throws: StorageError.self) { try open() }
        #expect(files.write(RunMarkTests.whole))
    }

    @Test("are an error that names the path, if the folder can't be made")
    func unusable() throws {
        do {
            _ = try StorageFiles(BehaviorStorage(folder: "/dev/null/storage"))
            Issue.record("a folder within a file was made")
        } catch {
            #expect(error.description.contains("/dev/null"))
        }
    }
}
