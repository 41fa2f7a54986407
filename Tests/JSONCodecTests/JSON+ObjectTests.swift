import JSONCodec
import Testing

@Suite("A JSON object")
struct JSONObjectTests {
    @Test("distinguishes names by their bytes")
    func exactNames() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        var object: JSON.Object = [:]
        object[composed] = 1
        object[decomposed] = 2
        #expect(object.count == 2)
        #expect(object[composed] == 1)
        let value = try json("{\"\(composed)\":1,\"\(decomposed)\":2}")
        #expect(value[decomposed] == 2)
    }

    @Test("finds, replaces and removes members, few or many")
    func many() {
        for count in [3, 16, 17, 500] {
            var object = JSON.Object((0..<count).map { ("k\($0)", JSON.number(.init($0))) })
            #expect(object.count == count)
            object["k1"] = "one"
            object["k0"] = nil
            object["new"] = true
            #expect(object["k1"] == "one")
            #expect(object["k0"] == nil)
            #expect(object["k\(count - 1)"]?.int == count - 1)
            #expect(object.names.first == "k1")
            #expect(object.names.last == "new")
            object["absent"] = nil
            #expect(object.count == count)
        }
    }

    @Test("a literal's duplicate names have the last value")
    func lastWins() {
        let object: JSON.Object = ["a": 1, "b": 2, "a": 3]
        #expect(object.map(\.name) == ["a", "b"])
        #expect(object["a"] == 3)
        #expect(JSON.Object().isEmpty)
    }
}
