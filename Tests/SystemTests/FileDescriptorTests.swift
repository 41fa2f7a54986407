import Glibc
import System
import Testing

@Suite("File descriptors")
struct FileDescriptorTests {
    @Test("a range of a file is read completely or not at all")
    func ranges() throws {
        let folder = try TemporaryFolder()
        let file = FileDescriptor(open(try folder.write("0123456789"), O_RDONLY | O_CLOEXEC))
        #expect(file.read(2..<5) == Array("234".utf8))
        #expect(file.read(0..<10)?.count == 10)
        #expect(file.read(4..<4) == [])
        #expect(file.read(8..<11) == nil)
        #expect(FileDescriptor(-1).read(0..<1) == nil)
    }

    @Test("empty ranges are read by several threads at once")
    func empty() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0123456789")
        let file = FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        await withTaskGroup(of: [UInt8]?.self) { group in
            for place in 0..<4 { group.addTask { file.read(place..<place) } }
            for await bytes in group { #expect(bytes == []) }
        }
    }

    @Test("a read of a file that shrank returns the remaining bytes")
    func shrunk() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0123456789")
        let file = FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        try #require(truncate(path, 4) == 0)
        let bytes = [UInt8](unsafeUninitializedCapacity: 10) { buffer, count in
            count = buffer.baseAddress.map { file.read(9, at: 1, to: $0) } ?? 0
        }
        #expect(bytes == Array("123".utf8))
    }

    @Test("releasing the last reference closes a descriptor")
    func closing() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reader = FileDescriptor(ends[0])
        var writer: FileDescriptor? = FileDescriptor(ends[1])
        #expect(writer != nil)
        writer = nil
        var byte: UInt8 = 0
        #expect(Glibc.read(reader.raw, &byte, 1) == 0)
    }
}
