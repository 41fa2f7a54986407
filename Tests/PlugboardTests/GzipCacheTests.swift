import System
import Glibc
import HTTPServer
import Testing

@testable import Plugboard

@Suite("The cache of gzip-coded files")
struct GzipCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String, _ text: String) throws -> (FileDescriptor, FileStamp) {
        let fd = Glibc.open(try folder.write(name, text), O_RDONLY | O_CLOEXEC)
        try #require(fd >= 0)
        var info = stat()
        try #require(fstat(fd, &info) == 0)
        return (FileDescriptor(fd), FileStamp(info))
    }

    /// Texts of one size, which shrink alike.
    private func text(_ letter: Character) -> String { String(repeating: letter, count: 20_000) }

    @Test("a file is compressed once, then found")
    func found() async throws {
        let cache = GzipCache()
        let (descriptor, stamp) = try open("a", text("a"))
        #expect(cache.find(stamp) == .unknown)
        let form = try #require(await cache.make(descriptor, stamp))
        #expect(try inflated(form) == Array(text("a").utf8))
        #expect(cache.find(stamp) == .form(form))
    }

    @Test("the least recently used file is removed when the cache is full")
    func room() async throws {
        let (first, firstStamp) = try open("a", text("a"))
        let size = try #require(await GzipCache().make(first, firstStamp)).count
        let cache = GzipCache(capacity: 2 * size + size / 2)
        let (second, secondStamp) = try open("b", text("b"))
        let (third, thirdStamp) = try open("c", text("c"))
        _ = await cache.make(first, firstStamp)
        _ = await cache.make(second, secondStamp)
        #expect(cache.find(firstStamp) != .unknown)
        _ = await cache.make(third, thirdStamp)
        #expect(cache.find(secondStamp) == .unknown)
        #expect(cache.find(firstStamp) != .unknown)
        #expect(cache.find(thirdStamp) != .unknown)
    }

    @Test("a compressed file larger than the cache isn't stored")
    func large() async throws {
        let cache = GzipCache(capacity: 10)
        let (descriptor, stamp) = try open("a", text("a"))
        #expect(await cache.make(descriptor, stamp) != nil)
        #expect(cache.find(stamp) == .unknown)
    }

    @Test("a changed file isn't found, and its new state replaces the old one")
    func changed() async throws {
        let cache = GzipCache()
        let (descriptor, stamp) = try open("a", text("a"))
        _ = await cache.make(descriptor, stamp)
        let (again, newStamp) = try open("a", text("b") + "!")
        #expect(cache.find(newStamp) == .unknown)
        #expect(await cache.make(descriptor, stamp) == nil)
        #expect(await cache.make(again, newStamp) != nil)
        #expect(cache.find(newStamp) != .unknown)
        #expect(cache.find(stamp) == .unknown)
    }

    @Test("an incompressible file is recorded, and a file of unsuitable size is never compressed")
    func none() async throws {
        let cache = GzipCache()
        let noise = String(
            decoding: (0..<300).map { _ in UInt8.random(in: 0x20...0x7E) },
            as: UTF8.self
        )
        let (descriptor, stamp) = try open("noise", noise)
        #expect(await cache.make(descriptor, stamp) == nil)
        #expect(cache.find(stamp) == .none)
        #expect(cache.find(try open("small", "a").1) == .none)
    }
}
