import System
import Glibc
import HTTPServer
import Testing

@testable import Plugboard

@Suite("Files in use")
struct OpenFilesTests {
    private func open(_ path: String) throws -> (FileDescriptor, FileStamp) {
        let descriptor = FileDescriptor(Glibc.open(path, O_RDONLY | O_CLOEXEC))
        var info = stat()
        try #require(fstat(descriptor.raw, &info) == 0)
        return (descriptor, FileStamp(info))
    }

    @Test("concurrent readers of a file share a descriptor until the last one ends")
    func shared() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.txt", "one")
        let files = OpenFiles()
        var first: FileDescriptor?
        do {
            let (descriptor, stamp) = try open(path)
            first = files.shared(descriptor, stamp)
            #expect(first === descriptor)
        }
        let (second, stamp) = try open(path)
        #expect(files.shared(second, stamp) === first)
        first = nil
        #expect(files.shared(second, stamp) === second)
    }

    @Test("a changed file and another file have their own descriptors")
    func others() throws {
        let folder = try TemporaryFolder()
        let files = OpenFiles()
        let (first, stamp) = try open(folder.write("a.txt", "one"))
        #expect(files.shared(first, stamp) === first)
        let (changed, changedStamp) = try open(folder.write("a.txt", "three"))
        #expect(files.shared(changed, changedStamp) === changed)
        let (other, otherStamp) = try open(folder.write("b.txt", "one"))
        #expect(files.shared(other, otherStamp) === other)
        #expect(files.shared(first, stamp) === first)
    }

    @Test("closed files are removed, however many there are")
    func many() throws {
        let folder = try TemporaryFolder()
        let files = OpenFiles()
        var kept: [(FileDescriptor, FileStamp)] = []
        for number in 0..<500 {
            let (descriptor, stamp) = try open(folder.write("\(number).txt", "\(number)"))
            #expect(files.shared(descriptor, stamp) === descriptor)
            if number % 5 == 0 { kept.append((descriptor, stamp)) }
        }
        #expect(kept.count == 100 && files.count < 300)
        for (descriptor, stamp) in kept {
            let (again, _) = try open(folder["0.txt"])
            #expect(files.shared(again, stamp) === descriptor)
        }
    }
}
