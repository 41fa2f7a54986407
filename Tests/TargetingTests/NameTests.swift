import HTTPSyntax
import Testing

@testable import Targeting

@Suite("Member names")
struct NameTests {
    /// Texts of 0 to 34 bytes that differ in one byte or in length only.
    private var texts: [String] {
        var texts: [String] = []
        for count in 0...34 {
            let alike = [UInt8](repeating: UInt8(ascii: "n"), count: count)
            texts.append(String(decoding: alike, as: UTF8.self))
            for place in alike.indices {
                var other = alike
                other[place] = UInt8(ascii: "m")
                texts.append(String(decoding: other, as: UTF8.self))
            }
        }
        return texts
    }

    @Test("names are equal if all their bytes are, at any length")
    func same() {
        let names = texts.map { Name($0) }
        for (one, name) in names.enumerated() {
            for (two, other) in names.enumerated() {
                #expect(name.isSame(as: other) == (one == two), "\(name.text) \(other.text)")
            }
        }
    }

    @Test("names are found in a part of some bytes")
    func known() {
        let texts = texts
        let names = texts.map { Name($0) }
        for (before, after) in [("", ""), ("a=b&", ""), ("", "=b"), ("nnn", "nnnnnnnnn")] {
            for text in texts {
                let found = Array((before + text + after).utf8).withUnsafeBufferPointer { bytes in
                    let start = before.utf8.count
                    return Name.known(bytes.slice(start, start + text.utf8.count), among: names)
                }
                #expect(found?.text == text)
            }
            let missed = Array((before + "other" + after).utf8).withUnsafeBufferPointer { bytes in
                Name.known(bytes.slice(before.utf8.count, before.utf8.count + 5), among: names)
            }
            #expect(missed == nil)
        }
    }
}
