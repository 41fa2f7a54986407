import GuardedBytes
import HTTP2Frames
import Testing

@testable import HTTP2
@testable import HTTPSyntax

@Suite("Response heads (RFC 7541)")
struct HTTP2HeadEncoderTests {
    private typealias Head = HTTP2Session.ResponseHead

    /// An encoder, and the client that reads what it makes.
    private final class Connection {
        var encoder: HTTP2HeadEncoder
        let client = HPACK.Decoder()
        private var dates: [[UInt8]] = []

        init?() {
            guard let encoder = HTTP2HeadEncoder() else { return nil }
            self.encoder = encoder
        }

        /// Encodes a head and tells its block.
        func encode(_ fields: ResponseFields, date: String = "now", length: Int? = nil) -> [UInt8] {
            let line = Array("Date: \(date)\r\n".utf8)
            return line.withUnsafeBufferPointer {
                let head = Head(status: 200, date: $0, fields: fields, length: length)
                let isEncoded = encoder.encode(head)
                #expect(isEncoded)
                return Array(encoder.block)
            }
        }

        /// Returns the fields that the client decodes, without the status.
        func read(_ fields: ResponseFields, date: String = "now", length: Int? = nil) -> [String] {
            client.decode(encode(fields, date: date, length: length)).dropFirst()
                .map { "\($0.name)=\($0.value)" }
        }
    }

    private static let page: ResponseFields = ["ETag": "\"1\"", "X": "page"]
    private static let image: ResponseFields = ["X": "image"]

    @Test("repeated heads decode to the same fields after other heads")
    func again() throws {
        let connection = try #require(Connection())
        for round in 0..<3 {
            let others = (0..<200).map { ResponseFields([("X-\($0)", "\(round) \($0)")]) }
            for lines in [Self.page, Self.page, Self.page, Self.image, Self.page] + others {
                var expected: [String] = []
                lines.forEach { expected.append("\($0.text)=\($1.text)") }
                let fields = connection.read(lines, length: lines.byteCount)
                #expect(fields.first == "date=now")
                #expect(fields.last == "content-length=\(lines.byteCount)")
                #expect(
                    fields.dropFirst().dropLast().map { $0.lowercased() }
                        == expected.map { $0.lowercased() }
                )
            }
        }
    }

    @Test("a new date, length or status is encoded")
    func changes() throws {
        let connection = try #require(Connection())
        for date in ["first", "first", "first", "second", "second", "a third one", "first"] {
            for length in [1, 1, 22, nil, 333, nil, nil, 22] {
                let fields = connection.read(Self.page, date: date, length: length)
                let last = length.map { ["content-length=\($0)"] } ?? []
                #expect(fields == ["date=\(date)", "etag=\"1\"", "x=page"] + last)
            }
        }
    }

    @Test("different lines of the same length are encoded differently")
    func otherLines() throws {
        let connection = try #require(Connection())
        for letter in ["a", "a", "a", "b", "a", "b", "b"] {
            let fields = connection.read(["X": letter])
            #expect(fields == ["date=now", "x=\(letter)"])
        }
    }

    @Test("a repeated head is sent as indexes")
    func indexed() throws {
        let connection = try #require(Connection())
        let counts = (0..<3).map { _ in connection.encode(Self.image).count }
        #expect(counts[0] > 3)
        #expect(counts[1...] == [3, 3])
    }

    @Test("a new table size is sent at the beginning of the next block only (§4.2, §6.3)")
    func tableSize() throws {
        let connection = try #require(Connection())
        for _ in 0..<3 { _ = connection.read(Self.image) }
        connection.encoder.bound(0)
        connection.encoder.bound(100)
        let first = connection.encode(Self.image)
        #expect(first.prefix(3) == [0x20, 0x3F, 69])
        #expect(connection.client.decode(first).count == 3)
        for _ in 0..<3 {
            let block = connection.encode(Self.image)
            #expect(block.first == 0x88)
            #expect(connection.client.decode(block).count == 3)
        }
    }

    @Test(
        "blocks that change the table are recognized (§6)",
        arguments: [
            ([0x88], false), ([0x88, 0xFF, 0x80, 0x01], false), ([], false),
            ([0x0F, 0x0D, 0x01, 0x33], false), ([0x1F, 0x0D, 0x01, 0x33, 0xC0], false),
            ([0x00, 0x01, 0x40, 0x01, 0x40, 0x88], false),
            ([0x88, 0x40, 0x01, 0x61, 0x01, 0x61], true), ([0x61, 0x01, 0x40], true),
            ([0x0F, 0x0D, 0x01, 0x33, 0x7E, 0x00], true), ([0x20], true), ([0x3F, 69], true),
            // What breaks off is passed without a look beyond its end.
            ([0x0F], false), ([0x0F, 0xFF], false), ([0x00, 0x7F], false), ([0xFF], false),
            ([0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], false),
        ] as [([UInt8], Bool)]
    )
    func changesTable(block: [UInt8], changes: Bool) {
        GuardedBytes.with(block) { #expect(HTTP2HeadEncoder.changesTable($0) == changes) }
    }
}
