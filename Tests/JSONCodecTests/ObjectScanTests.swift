import SeededNumbers
import Testing

@testable import JSONCodec

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("The scan of an object")
struct ObjectScanTests {
    /// Requires that the scan accepts exactly what the parser accepts, and finds the same members.
    private func expectSame(_ text: [UInt8], _ depth: Int = JSON.defaultDepth) {
        let parsed = Result { () throws(JSONError) in try JSON(parsing: text, depth: depth) }
        let raw = Result { () throws(JSONError) in try RawJSON(parsing: text) }
        let isAccepted = text.withUnsafeBytes { bytes in
            guard let scan = ObjectScan.scan(bytes, depth: depth) else { return false }
            scan.members.deallocate()
            return true
        }
        let shown = String(decoding: text, as: UTF8.self)
        switch parsed {
        case .failure(let error):
            #expect(!isAccepted, "\(shown)")
            guard depth == JSON.defaultDepth else { return }
            #expect(throws: error, "\(shown)") { try raw.get() }
        case .success(let value):
            #expect(isAccepted == (value.object != nil), "\(shown)")
            guard case .success(let raw) = raw else { return }
            #expect(raw.json == value, "\(shown)")
            expectSame(raw, value)
        }
    }

    /// Requires that all members are the same, one by one.
    private func expectSame(_ raw: RawJSON, _ value: JSON) {
        switch value {
        case .null: #expect(raw.kind == .null)
        case .bool(let bool): #expect(raw.kind == .bool && raw.bool == bool)
        case .string(let string): #expect(raw.kind == .string && raw.string == string)
        case .number(let number):
            #expect(raw.kind == .number)
            #expect(raw.int == number.int && raw.double == number.double)
        case .array(let elements):
            #expect(raw.kind == .array && raw.elements?.count == elements.count)
            for (one, other) in zip(raw.elements ?? [], elements) { expectSame(one, other) }
        case .object(let object):
            #expect(raw.kind == .object && raw.member("\u{1}none") == nil)
            for (name, member) in object {
                guard let one = raw.member(name) else {
                    Issue.record("\(name) is missing in \(raw)")
                    continue
                }
                #expect(one.json == member)
                expectSame(one, member)
            }
        }
    }

    @Test("accepts and rejects the texts of the parser's tests, with the same errors")
    func corpus() {
        for text in GoodTexts.all + BadTexts.all {
            expectSame(Array(text.utf8))
            expectSame(Array(#"{"a":\#(text)}"#.utf8))
            expectSame(Array(#" {"a":[{"b":1,"c":\#(text)}],"d":"\u00e9"} "#.utf8))
            expectSame(Array(#"{"\#(text)":1,"a":{"\#(text)":2}}"#.utf8))
        }
        for bytes in BadTexts.bytes {
            expectSame(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8))
            expectSame(Array("{\"".utf8) + bytes + Array("\":1}".utf8))
        }
    }

    @Test("agrees with the parser over random documents, whole, cut and changed", arguments: 0..<4)
    func random(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let bytes =
            Array(#"{}[]",:\-+.0123eEtrufalsn /"#.utf8) + [0, 9, 10, 31, 0x80, 0xC3, 0xED, 0xFF]
        for round in 0..<400 {
            let json = JSON.object(
                JSON.Object([
                    (numbers.text(), numbers.json(depth: 4)), ("b", numbers.json(depth: 3)),
                ])
            )
            let text = json.encoded(pretty: round % 2 == 0)
            expectSame(text)
            for _ in 0..<4 {
                var changed = text
                let place = Int.random(in: 0..<text.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: changed[place] = bytes[Int.random(in: 0..<bytes.count, using: &numbers)]
                case 1: changed.remove(at: place)
                case 2: changed.insert(changed[place], at: place)
                default: changed.removeSubrange(place...)
                }
                expectSame(changed)
            }
        }
    }

    @Test("finds duplicate names in small and large objects at each level, escaped or not")
    func duplicates() {
        for count in [1, 2, 8, 9, 10, 40, 300] {
            let names = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
            for more in ["", ",\"k0\":1", ",\"\\u006b0\":1", ",\"\\\\u006b0\":1", ",\"K0\":1"] {
                expectSame(Array("{\(names)\(more)}".utf8))
                expectSame(
                    Array("{\"\\u006b\":{\"a\":[{\(names)\(more)}]},\"k\\u0030\":{\(names)}}".utf8)
                )
                expectSame(Array("{\(names),\"a\":{\(names)\(more)},\"b\":{\(names)}}".utf8))
            }
        }
    }

    @Test("accepts values up to the nesting limit")
    func depth() {
        for depth in 1...4 {
            for text in [#"{"a":{"b":[{}]}}"#, #"{"a":[[1]],"b":{}}"#, "{}", #"{"a":[]}"#] {
                expectSame(Array(text.utf8), depth)
            }
        }
        for count in [511, 512, 513] {
            let text =
                String(repeating: #"{"a":"#, count: count) + "1"
                + String(repeating: "}", count: count)
            expectSame(Array(text.utf8))
        }
    }

    @Test("reads no byte after the text's end")
    func end() throws {
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        let pages = try #require(
            mmap(nil, pageSize * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        )
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, pageSize * 2) }
        try #require(mprotect(pages + pageSize, pageSize, PROT_NONE) == 0)
        for text in GoodTexts.all + BadTexts.all {
            let bytes = Array(#"{"a":\#(text),"\u0061bcdefgh":"x"}"#.utf8)
            for length in 0...bytes.count {
                let start = pages + (pageSize - length)
                bytes.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(start: start, count: length)
                        .copyBytes(from: source.prefix(length))
                }
                let scan = ObjectScan.scan(UnsafeRawBufferPointer(start: start, count: length))
                scan?.members.deallocate()
                let isJSON = (try? JSON(parsing: bytes.prefix(length))) != nil
                #expect((scan != nil) == isJSON)
            }
        }
    }
}
