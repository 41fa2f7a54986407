import GuardedBytes
import Testing

@testable import Gzip
@testable import HTTPSyntax

/// `hello\n` as `gzip -n` writes it.
private let hello: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 2, 0,
    0x20, 0x30, 0x3A, 0x36, 6, 0, 0, 0,
]

private func inflate(_ bytes: [UInt8], upTo limit: Int = 1 << 20) throws(GzipError) -> [UInt8] {
    var output = OutputBuffer(capacity: 64)
    try GuardedBytes.with(bytes) { bytes throws(GzipError) in
        try Gzip.inflate(bytes, upTo: limit, into: &output)
    }
    return Array(output.bytes)
}

/// Inflates pieces of so many bytes into rooms of so many.
private func inflate(_ bytes: [UInt8], pieces: Int, rooms: Int) throws -> [UInt8] {
    let inflater = try GzipInflater()
    var result: [UInt8] = []
    var room = [UInt8](repeating: 0, count: rooms)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
        try GuardedBytes.with(bytes[start..<min(start + pieces, bytes.count)]) { piece in
            var used = 0
            while true {
                let (taken, made) = try room.withUnsafeMutableBufferPointer { room in
                    try inflater.inflate(piece.slice(used, piece.count), into: room)
                }
                used += taken
                result += room[..<made]
                guard made == rooms else { break }
            }
            #expect(used == piece.count)
        }
    }
    try inflater.finish()
    return result
}

private func error(_ bytes: [UInt8], upTo limit: Int = 1 << 20) -> GzipError? {
    do {
        _ = try inflate(bytes, upTo: limit)
        return nil
    } catch {
        return error
    }
}

private func compressed(_ bytes: [UInt8], _ level: Gzip.Level = .kept) throws -> [UInt8] {
    try #require(bytes.withUnsafeBufferPointer { Gzip.compress($0, level) })
}

/// Text that shrinks, of a kind that nothing predicts.
private func text(_ count: Int) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(0x61 + (state >> 60))
    }
}

@Suite("gzip (RFC 1952)")
struct GzipTests {
    @Test(
        "the output of the gzip tool is decompressed, in one piece or several",
        arguments: [1, 2, 3, 7, 26]
    )
    func peer(pieces: Int) throws {
        #expect(try inflate(hello) == Array("hello\n".utf8))
        #expect(try inflate(hello, pieces: pieces, rooms: 4) == Array("hello\n".utf8))
    }

    @Test("a body of any size survives compression and decompression in pieces")
    func roundTrip() throws {
        for count in [400, 1024, 65_536, 1_000_000] {
            let body = text(count)
            for level in [Gzip.Level.once, .kept] {
                let member = try compressed(body, level)
                #expect(member.count <= count - Gzip.overhead)
                #expect(try inflate(member) == body)
            }
        }
        let body = text(20_000)
        let member = try compressed(body)
        for (pieces, rooms) in [(1, 1), (1, 4096), (100_000, 1), (1000, 1000), (17, 333)] {
            #expect(try inflate(member, pieces: pieces, rooms: rooms) == body)
        }
    }

    @Test("compression is deterministic: a member has neither time nor name (§2.3.1)")
    func deterministic() throws {
        let body = text(5000)
        let deflater = GzipDeflater(.once)
        let first = body.withUnsafeBufferPointer { deflater.compress($0) }
        let other = text(700)
        _ = other.withUnsafeBufferPointer { deflater.compress($0) }
        let again = body.withUnsafeBufferPointer { deflater.compress($0) }
        #expect(first == again && first != nil)
        #expect(first?.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }

    @Test("memory for small bodies makes members at most eight bytes larger")
    func sizes() throws {
        for size in [1, 2, 511, 512, 513, 4096, 16_385, 32_768, 32_769, 100_000] {
            for count in [size, size + 1, 2 * size, 40_000] {
                let body = text(count)
                let small = body.withUnsafeBufferPointer {
                    GzipDeflater(.kept, upTo: size).compress($0)
                }
                let large = body.withUnsafeBufferPointer { GzipDeflater(.kept).compress($0) }
                if let small { #expect(try inflate(small) == body) }
                #expect(small != nil || size < 512)
                guard count == size else { continue }
                #expect((small == nil) == (large == nil))
                #expect(small?.count ?? 0 <= (large?.count ?? 0) + 8)
            }
        }
    }

    @Test("a body that compression doesn't shrink isn't compressed")
    func notWorth() {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        for body in [[], [0x61], Array(repeating: 0x61, count: 64), text(90), noise] {
            #expect(body.withUnsafeBufferPointer { Gzip.compress($0, .kept) } == nil)
        }
    }

    @Test("consecutive members are decompressed, empty ones too (§2.2)")
    func members() throws {
        let empty: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try inflate(empty) == [])
        #expect(try inflate(hello + hello) == Array("hello\nhello\n".utf8))
        #expect(try inflate(empty + hello + empty) == Array("hello\n".utf8))
        let twice = try inflate(hello + hello, pieces: 1, rooms: 3)
        #expect(twice == Array("hello\nhello\n".utf8))
    }

    @Test("a header's name, comment, extra field and checksum are skipped (§2.3.1)")
    func header() throws {
        var named = hello
        named[3] = 0x1C
        named.replaceSubrange(10..<10, with: [2, 0, 9, 9] + Array("a.txt\0why\0".utf8))
        #expect(try inflate(named) == Array("hello\n".utf8))
    }

    @Test("a body that ends early is truncated, at every byte")
    func truncated() {
        for count in hello.indices { #expect(error(Array(hello[..<count])) == .truncated) }
        for count in 1..<hello.count {
            #expect(error(hello + hello[..<count]) == .truncated)
        }
    }

    @Test("another checksum or length is a mismatch (§2.3.1)", arguments: 18..<26)
    func mismatch(place: Int) {
        var bytes = hello
        bytes[place] ^= 0x10
        #expect(error(bytes) == .mismatch)
    }

    @Test("bytes that don't begin a member aren't gzip")
    func notGzip() {
        #expect(error(Array("hello".utf8)) == .notGzip)
        #expect(error([0x1F, 0x8C, 8, 0, 0, 0, 0, 0, 0, 3]) == .notGzip)
        // zlib's own format (RFC 1950), which some call deflate.
        #expect(error([0x78, 0x9C, 3, 0, 0, 0, 0, 1]) == .notGzip)
    }

    @Test("another method, reserved flags and broken data are corrupt (§2.3.1; RFC 1951)")
    func corrupt() {
        for (place, byte) in [(2, UInt8(7)), (3, 0xE0), (10, 0xFF)] {
            var bytes = hello
            bytes[place] = byte
            #expect(error(bytes) == .corrupt, "\(place)")
        }
    }

    @Test("other bytes after the last member are trailing data")
    func trailing() {
        for rest: [UInt8] in [[0], [0, 0, 0], Array("x".utf8), [0x1F, 0], Array("hello".utf8)] {
            #expect(error(hello + rest) == .trailing)
        }
        #expect(error(hello + [0x1F]) == .truncated)
    }

    @Test("a body within the limit passes, one byte more doesn't")
    func limit() throws {
        #expect(try inflate(hello, upTo: 6) == Array("hello\n".utf8))
        #expect(error(hello, upTo: 5) == .tooLarge)
        #expect(error(hello, upTo: 0) == .tooLarge)
        #expect(error(hello + hello, upTo: 11) == .tooLarge)
        let body = text(100_000)
        let member = try compressed(body)
        #expect(try inflate(member, upTo: 100_000) == body)
        #expect(error(member, upTo: 99_999) == .tooLarge)
        #expect(try inflate(member, upTo: .max) == body)
    }

    @Test("a gzip bomb is stopped at the limit")
    func bomb() throws {
        let member = try compressed([UInt8](repeating: 0, count: 1 << 26))
        #expect(member.count < 70_000)
        var output = OutputBuffer(capacity: 64)
        #expect(throws: GzipError.tooLarge) {
            try member.withUnsafeBufferPointer { bytes in
                try Gzip.inflate(bytes, upTo: 10_000, into: &output)
            }
        }
        #expect(output.count == 10_001)
    }
}
