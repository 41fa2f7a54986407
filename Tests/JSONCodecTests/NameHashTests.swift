import Testing

@testable import JSONCodec

@Suite("The hash of names")
struct NameHashTests {
    private let hash = NameHash.process

    @Test("is the same at the end of a text and within it, escaped or not")
    func places() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        for count in 0...letters.count {
            let name = Array(letters.prefix(count))
            let alone = name.withUnsafeBytes { hash($0) }
            let text = [0x22] + name + Array("\":1}        ".utf8)
            for end in [count + 1, text.count] {
                text.prefix(end).withUnsafeBytes { text in
                    #expect(hash(text, 1, count, isEscaped: false) == alone)
                }
            }
            let escaped = name.flatMap { Array("\\u00\(String($0, radix: 16))".utf8) }
            #expect(escaped.withUnsafeBytes { hash(escaped: $0) } == alone)
            escaped.withUnsafeBytes { text in
                #expect(hash(text, 0, escaped.count, isEscaped: true) == alone)
            }
        }
    }

    @Test("differs for names that differ in a byte, in length, or in trailing zeros")
    func distinct() {
        var seen: Set<UInt64> = []
        var count = 0
        func add(_ name: [UInt8]) {
            count += 1
            seen.insert(name.withUnsafeBytes { hash($0) })
        }
        for length in 0..<40 { add(Array(repeating: 0, count: length)) }
        for length in 1..<40 {
            for place in 0..<length {
                for byte in [1, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var name: [UInt8] = Array(repeating: 0, count: length)
                    name[place] = byte
                    add(name)
                }
            }
        }
        for number in 0..<50_000 { add(Array("k\(number)".utf8)) }
        #expect(seen.count == count)
    }

    @Test("has another key in each process")
    func keys() {
        let name = Array("username".utf8)
        let hashes = (0..<20).map { _ in name.withUnsafeBytes { NameHash()($0) } }
        #expect(Set(hashes).count == 20)
    }

    @Test("spreads names over the slots of a table")
    func slots() {
        var used: Set<UInt64> = []
        for number in 0..<1_000 {
            used.insert(Array("member\(number)".utf8).withUnsafeBytes { hash($0) } & 1_023)
        }
        // A random function fills 637 of 1,024 slots on average.
        #expect(used.count > 400)
    }
}
