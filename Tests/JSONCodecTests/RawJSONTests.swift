import Foundation
import Testing

@testable import JSONCodec

@Suite("Raw JSON")
struct RawJSONTests {
    private let text = #"{"a":[1,{"b":null},"x\u0041"], "n":1.50,"t":true,"f":false,"big":1e999}"#

    @Test("reads each type, and nothing of another one")
    func types() throws {
        let raw = try RawJSON(parsing: Array(text.utf8))
        #expect(raw.kind == .object)
        let elements = try #require(raw.member("a")?.elements)
        #expect(elements.map(\.kind) == [.number, .object, .string])
        #expect(elements[0].int == 1 && elements[0].double == 1)
        #expect(elements[2].string == "xA" && elements[2].int == nil)
        #expect(elements[1].member("b")?.kind == .null)
        #expect(raw.member("n")?.int == nil && raw.member("n")?.double == 1.5)
        #expect(raw.member("big")?.double == nil)
        #expect(raw.member("t")?.bool == true && raw.member("f")?.bool == false)
        #expect(raw.member("none") == nil && elements[0].member("a") == nil)
        #expect(raw.elements == nil && raw.string == nil && raw.bool == nil)
        #expect(raw.json == (try JSON(parsing: Array(text.utf8))))
    }

    @Test("outlives the bytes that it is decoded from")
    func detached() throws {
        struct Page: Decodable { var page: RawJSON }
        var bytes = Array("{\"page\": \(text)}".utf8)
        let page = try JSON.decode(Page.self, from: bytes).page
        for place in bytes.indices { bytes[place] = 0 }
        #expect("\(page)" == text)
        #expect(try JSON(parsing: JSON.encode(page)) == page.json)
    }

    @Test("is decoded by another decoder, as far as that preserves it")
    func otherDecoder() throws {
        let data = Data(#"{"a":[1,true,null,"x"]}"#.utf8)
        let raw = try JSONDecoder().decode(RawJSON.self, from: data)
        #expect(raw.json == ["a": [1, true, nil, "x"]])
    }

    @Test("reads nested objects and arrays at each level, again and again")
    func levels() throws {
        let text = #"{"a":{"b":{"c":{"d":[{"e":{"f":"\u0067"}}]},"n":1}},"l":[{"x":{"y":2}}]}"#
        let raw = try RawJSON(parsing: Array(text.utf8))
        for _ in 0..<2 {
            let inner = raw.member("a")?.member("b")?.member("c")
            #expect(inner?.member("d")?.elements?[0].member("e")?.member("f")?.string == "g")
            #expect(inner.map(\.description) == #"{"d":[{"e":{"f":"\u0067"}}]}"#)
            #expect(raw.member("a")?.member("b")?.member("n")?.int == 1)
            #expect(raw.member("l")?.elements?[0].member("x")?.member("y")?.int == 2)
            #expect(raw.member("a")?.elements == nil && raw.member("l")?.member("x") == nil)
        }
    }

    @Test("prints an object without the white space around it")
    func printing() throws {
        let raw = try RawJSON(parsing: Array(" \n{ \"a\" : [ 1 ] , \"b\":\"\\n\" }\t ".utf8))
        #expect("\(raw)" == "{ \"a\" : [ 1 ] , \"b\":\"\\n\" }")
        #expect(raw.member("a").map(\.description) == "[ 1 ]")
        #expect(raw.member("b").map(\.description) == "\"\\n\"")
    }

    @Test("can be read by several threads at once")
    func concurrent() async throws {
        let raw = try RawJSON(parsing: Array(text.utf8))
        await withTaskGroup(of: JSON.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    #expect(raw.member("a")?.elements?[1].member("b")?.kind == .null)
                    return raw.json
                }
            }
            for await json in group { #expect(json == raw.json) }
        }
    }
}
