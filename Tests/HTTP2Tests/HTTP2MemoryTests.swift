import Testing

@testable import HTTP2
@testable import HTTPSyntax

@Suite("Memory for HTTP/2's small objects")
struct HTTP2MemoryTests {
    @Test("a freed block is reused for allocations that fit")
    func reuse() {
        let memory = HTTP2Memory()
        let first = memory.allocate(100)
        memory.free(first)
        let smaller = memory.allocate(64)
        #expect(smaller != first)
        #expect(memory.allocate(128) == first)
        memory.free(smaller)
        memory.free(first)
    }

    @Test("blocks of all sizes are disjoint and preserve their bytes", arguments: 0...1100)
    func sizes(size: Int) {
        let memory = HTTP2Memory()
        let blocks = (0..<3).map { _ in memory.allocate(size) }
        for (index, block) in blocks.enumerated() {
            #expect(Int(bitPattern: block) % 16 == 0)
            block.initializeMemory(as: UInt8.self, repeating: UInt8(index), count: size)
        }
        for (index, block) in blocks.enumerated() {
            let bytes = UnsafeRawBufferPointer(start: block, count: size)
            #expect(bytes.allSatisfy { $0 == UInt8(index) })
            memory.free(block)
        }
        #expect(memory.kept == (size > 512 ? 0 : 3))
    }

    @Test("a block that grows preserves its bytes")
    func growth() {
        let memory = HTTP2Memory()
        var block = memory.reallocate(nil, 10)
        block.storeBytes(of: 42, as: Int.self)
        #expect(memory.reallocate(block, 64) == block)
        for size in [65, 512, 513, 5000] {
            block = memory.reallocate(block, size)
            #expect(block.load(as: Int.self) == 42)
        }
        memory.free(block)
        memory.free(nil)
        #expect(memory.kept == 3)
    }

    @Test("at most 128 freed blocks are retained")
    func bound() {
        let memory = HTTP2Memory()
        let blocks = (0..<1000).map { _ in memory.allocate(256) }
        blocks.forEach { memory.free($0) }
        #expect(memory.kept == 128)
    }

    @Test("an array is zeroed, and one whose size overflows isn't allocated")
    func zeroed() {
        let memory = HTTP2Memory()
        let used = memory.allocate(256)
        used.initializeMemory(as: UInt8.self, repeating: 1, count: 256)
        memory.free(used)
        let block = memory.allocate(4, of: 64)
        #expect(block == used)
        #expect(UnsafeRawBufferPointer(start: block, count: 256).allSatisfy { $0 == 0 })
        #expect(memory.allocate(.max, of: 2) == nil)
        memory.free(block)
    }
}
