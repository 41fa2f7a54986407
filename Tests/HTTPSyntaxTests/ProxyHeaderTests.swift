import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("The header of the PROXY protocol")
struct ProxyHeaderTests {
    /// Parses the bytes, and each of their beginnings: a beginning is incomplete or fails alike.
    private func parse(_ bytes: [UInt8]) -> ProxyHeader {
        let whole = GuardedBytes.with(bytes) { ProxyHeader($0) }
        for count in bytes.indices {
            let part = GuardedBytes.with(bytes[..<count]) { ProxyHeader($0) }
            switch (part, whole) {
            case (.partial, _): break
            case (.failed, .failed): break
            case (.complete(let length, _), .complete): #expect(part == whole && length <= count)
            default: Issue.record("\(count) of \(bytes): \(part), \(whole)")
            }
        }
        return whole
    }

    private func parse(_ text: String) -> ProxyHeader { parse(Array(text.utf8)) }

    private func client(_ text: String, _ length: Int) throws -> ProxyHeader {
        .complete(length: length, .client(try #require(IPAddress(text: text))))
    }

    @Test("version 1 names the source's address")
    func text() throws {
        let four = "PROXY TCP4 192.0.2.7 192.0.2.8 56324 443\r\n"
        #expect(try parse(four) == client("192.0.2.7", four.utf8.count))
        #expect(try parse(four + "GET / HTTP/1.1\r\n") == client("192.0.2.7", four.utf8.count))
        let six = "PROXY TCP6 2001:db8::7 ::1 0 65535\r\n"
        #expect(try parse(six) == client("2001:db8::7", six.utf8.count))
        let full = String(repeating: "ffff:", count: 7) + "ffff"
        let long = "PROXY TCP6 \(full) \(full) 65535 65535\r\n"
        #expect(long.utf8.count == 104)
        #expect(try parse(long) == client(full, 104))
    }

    @Test("an unknown source is the proxy itself, and the rest of the line has no meaning")
    func unknown() {
        #expect(parse("PROXY UNKNOWN\r\n") == .complete(length: 15, .proxy))
        #expect(parse("PROXY UNKNOWN a b\0\r\nGET") == .complete(length: 20, .proxy))
        let longest = "PROXY UNKNOWN " + String(repeating: "f", count: 91) + "\r\n"
        #expect(parse(longest) == .complete(length: 107, .proxy))
        #expect(
            parse("PROXY UNKNOWN " + String(repeating: "f", count: 92) + "\r\n")
                == .failed(.tooLong)
        )
        #expect(parse("PROXY UNKNOWN " + String(repeating: "f", count: 93)) == .failed(.tooLong))
        #expect(parse("PROXY UNKNOWN " + String(repeating: "f", count: 92)) == .partial)
    }

    @Test(
        "another line is invalid",
        arguments: [
            "PROXY \r\n", "PROXY TCP5 192.0.2.7 192.0.2.8 1 2\r\n", "PROXY TCP4\r\n",
            "PROXY tcp4 192.0.2.7 192.0.2.8 1 2\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 1\r\n",
            "PROXY TCP4 192.0.2.7 192.0.2.8 1 2 \r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 1 2 3\r\n",
            "PROXY TCP4  192.0.2.7 192.0.2.8 1 2\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 65536 2\r\n",
            "PROXY TCP4 192.0.2.7 192.0.2.8 01 2\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 -1 2\r\n",
            "PROXY TCP4 192.0.2.7 192.0.2.8 1 2\n", "PROXY TCP4 192.0.2.7 192.0.2.8 1 2\rX",
            "PROXY TCP4 ::1 ::1 1 2\r\n", "PROXY TCP6 192.0.2.7 192.0.2.8 1 2\r\n",
            "PROXY TCP4 192.0.2.07 192.0.2.8 1 2\r\n", "PROXY TCP4 192.0.2.7 nowhere 1 2\r\n",
            "PROXY TCP4 192.0.2.7\t192.0.2.8 1 2\r\n", "PROXY UNKNOWNS\r\n",
            "PROXY TCP4 192.0.2.7 192.0.2.8 1 \r\n",
            "PROXY TCP6 fe80::1%1 ::1 1 2\r\n", "PROXY UNKNOWN\n",
        ]
    )
    func invalidText(_ text: String) {
        #expect(parse(text) == .failed(.invalid))
    }

    @Test(
        "another protocol has no header",
        arguments: [
            "GET / HTTP/1.1\r\n", "PROX /", "proxy TCP4", "PRI * HTTP/2.0\r\n", "\u{16}\u{3}\u{1}",
            "\r\nGET", "PROXYTCP4", "\r\n\r\n\0\r\nQUIX", " PROXY",
        ]
    )
    func missing(_ text: String) {
        #expect(parse(text) == .failed(.missing))
    }

    // MARK: Version 2

    private let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    private func header(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    /// 192.0.2.7 and 192.0.2.8 with ports.
    private let four: [UInt8] = [192, 0, 2, 7, 192, 0, 2, 8, 0xDC, 4, 1, 0xBB]
    /// 2001:db8::7 and ::1 with ports.
    private let six: [UInt8] =
        [0x20, 1, 0xD, 0xB8] + Array(repeating: 0, count: 11) + [7]
        + Array(repeating: 0, count: 15) + [1] + [0xDC, 4, 1, 0xBB]

    @Test("version 2 names the source's address")
    func binary() throws {
        #expect(try parse(header(0x21, 0x11, four)) == client("192.0.2.7", 28))
        #expect(try parse(header(0x21, 0x21, six)) == client("2001:db8::7", 52))
        let more = header(0x21, 0x11, four) + Array("GET /".utf8)
        #expect(try parse(more) == client("192.0.2.7", 28))
    }

    @Test("a health check, and a source without an IP address, is the proxy itself")
    func local() {
        #expect(parse(header(0x20, 0x00, [])) == .complete(length: 16, .proxy))
        #expect(parse(header(0x20, 0x11, four)) == .complete(length: 28, .proxy))
        #expect(parse(header(0x20, 0x00, [1, 2, 3])) == .complete(length: 19, .proxy))
        #expect(parse(header(0x21, 0x00, [])) == .complete(length: 16, .proxy))
        #expect(parse(header(0x21, 0x00, [9, 9])) == .complete(length: 18, .proxy))
        #expect(parse(header(0x21, 0x12, four)) == .complete(length: 28, .proxy))
        #expect(parse(header(0x21, 0x22, six)) == .complete(length: 52, .proxy))
        let paths = [UInt8](repeating: 0x2F, count: 216)
        #expect(parse(header(0x21, 0x31, paths)) == .complete(length: 232, .proxy))
        #expect(parse(header(0x21, 0x32, paths)) == .complete(length: 232, .proxy))
        #expect(parse(header(0x21, 0x10, [])) == .complete(length: 16, .proxy))
        #expect(parse(header(0x21, 0x01, [])) == .complete(length: 16, .proxy))
    }

    @Test("other versions, commands, families and protocols are invalid, as is a short block")
    func invalidBinary() {
        for command in UInt8.min...UInt8.max where command != 0x20 && command != 0x21 {
            #expect(parse(header(command, 0x11, four)) == .failed(.invalid))
        }
        for family in UInt8.min...UInt8.max where family >> 4 > 3 || family & 15 > 2 {
            #expect(parse(header(0x21, family, six)) == .failed(.invalid))
        }
        #expect(parse(header(0x21, 0x11, four.dropLast())) == .failed(.invalid))
        #expect(parse(header(0x21, 0x21, six.dropLast())) == .failed(.invalid))
        let paths = [UInt8](repeating: 0x2F, count: 215)
        #expect(parse(header(0x21, 0x31, paths)) == .failed(.invalid))
    }

    @Test("extensions are skipped, and their lengths must fit")
    func extensions() throws {
        let names: [UInt8] = [0x02, 0, 3, 0x61, 0x2E, 0x62, 0x04, 0, 0, 0xEA, 0, 1, 0xFF]
        #expect(try parse(header(0x21, 0x11, four + names)) == client("192.0.2.7", 41))
        let broken: [[UInt8]] = [[0x02], [0x02, 0], [0x02, 0, 1], [0x04, 0, 0, 0x04, 1, 0]]
        for bytes in broken {
            #expect(parse(header(0x21, 0x11, four + bytes)) == .failed(.invalid))
        }
    }

    @Test("a header of 4 KiB is the longest")
    func length() throws {
        func padded(_ length: Int) -> [UInt8] {
            let count = length - 16 - 12 - 3
            let padding: [UInt8] = [0x04, UInt8(count >> 8), UInt8(count & 0xFF)]
            return header(0x21, 0x11, four + padding + Array(repeating: 0, count: count))
        }
        #expect(try parse(padded(4096)) == client("192.0.2.7", 4096))
        #expect(parse(padded(4097)) == .failed(.tooLong))
        #expect(parse(header(0x20, 0, [UInt8](repeating: 0, count: 65_535))) == .failed(.tooLong))
    }

    @Test("the checksum is that of RFC 3720's test vectors")
    func checksum() {
        func sum(_ bytes: [UInt8]) -> UInt32 {
            bytes.withUnsafeBufferPointer { CRC32C.sum($0, without: 0..<0) }
        }
        #expect(sum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(sum(Array(repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(sum(Array(repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(sum(Array(0..<32)) == 0x46DD_794E)
    }

    @Test("a wrong checksum is rejected, and one of another size is invalid")
    func checked() throws {
        var bytes = header(0x21, 0x11, four + [0x03, 0, 4, 0, 0, 0, 0])
        let sum = bytes.withUnsafeBufferPointer { CRC32C.sum($0, without: 0..<0) }
        for index in 0..<4 { bytes[31 + index] = UInt8(sum >> UInt32(24 - 8 * index) & 0xFF) }
        #expect(try parse(bytes) == client("192.0.2.7", 35))
        for index in 16..<35 where !(28..<31).contains(index) {
            var changed = bytes
            changed[index] ^= 1
            #expect(parse(changed) == .failed(.checksum), "\(index)")
        }
        #expect(parse(header(0x21, 0x11, four + [0x03, 0, 2, 0, 0])) == .failed(.invalid))
    }
}
