import Testing

@testable import System

@Suite("Shares of descriptors")
struct DescriptorsTests {
    @Test(
        "the connection limit is below the descriptor limit, with a reserve",
        arguments: [(16_384, 20_000, 16_250), (16_384, 1024, 832), (100, 64, 16), (100, 3, 1)]
    )
    func places(connections: Int, limit: Int, places: Int) {
        #expect(Descriptors.places(for: connections, of: limit) == places)
    }

    @Test("a share is limited, and returned descriptors can be taken again")
    func share() {
        let share = DescriptorShare(limit: 2)
        #expect(share.take() && share.take())
        #expect(!share.take() && !share.take())
        #expect(share.count == 2)
        share.returnDescriptors()
        #expect(share.take())
        #expect(!share.take())
    }

    @Test("closing a descriptor returns it to its share")
    func closing() throws {
        let share = DescriptorShare(limit: 1)
        try #require(share.take())
        var descriptor: FileDescriptor? = FileDescriptor(-1, of: share)
        #expect(descriptor != nil && share.count == 1)
        descriptor = nil
        #expect(share.count == 0)
    }
}
