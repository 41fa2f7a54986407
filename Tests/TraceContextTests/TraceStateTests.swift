import Testing
import TraceContext

@Suite("tracestate (W3C Trace Context §3.3)")
struct TraceStateTests {
    private static func members(_ fields: String...) -> [String] { TraceState(fields).members }

    private static func list(_ range: Range<Int>) -> String {
        range.map { "k\($0)=v" }.joined(separator: ",")
    }

    @Test("members retain their order")
    func order() {
        #expect(Self.members("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE").count == 2)
        #expect(TraceState(["rojo=1,congo=2"]).text == "rojo=1,congo=2")
    }

    @Test("several fields are one list, in their order (RFC 9110 §5.3)")
    func combined() {
        #expect(TraceState(["a=1,b=2", "c=3"]).text == "a=1,b=2,c=3")
    }

    @Test("surrounding spaces and empty members are ignored (§3.3.1.1)")
    func space() {
        #expect(TraceState([" a=1 , \t b=2\t,, ,"]).text == "a=1,b=2")
        #expect(TraceState(["", " "]).members.isEmpty)
        #expect(TraceState([]).text == "")
    }

    @Test("every character allowed in keys and values is accepted (§3.3.1.3)")
    func characters() {
        let key = "abcdefghijklmnopqrstuvwxyz0123456789_-*/@"
        let value = String(
            decoding: (UInt8(0x20)...0x7E).filter { $0 != 0x2C && $0 != 0x3D },
            as: UTF8.self
        )
        #expect(Self.members("\(key)=\(value)") == ["\(key)=\(value)"])
        #expect(Self.members("0a=1", "a@b=2").count == 2)
    }

    @Test("a key and a value have up to 256 characters")
    func lengths() {
        let long = String(repeating: "a", count: 256)
        #expect(Self.members("\(long)=1").count == 1)
        #expect(Self.members("\(long)a=1").isEmpty)
        #expect(Self.members("a=\(long)").count == 1)
        #expect(Self.members("a=\(long)a").isEmpty)
    }

    @Test("a value retains its leading space (§3.3.1.3.2)")
    func leadingSpace() {
        #expect(Self.members("a= 1,b=2") == ["a= 1", "b=2"])
    }

    @Test(
        "an invalid member is omitted, and the others stay",
        arguments: [
            "foo", "=1", "foo=", "foo= ", "foo=1=2", "Foo=1", "foo =1", "foo.bar=1", "@foo=1",
            "_foo=1", "-foo=1", "foo=\u{1}", "foo=b\u{9}r", "foo=bär", "föö=1", "foo=\u{7F}",
            "foo;bar=1", "fo o=1",
        ]
    )
    func malformed(_ member: String) {
        #expect(Self.members("a=1,\(member),z=2") == ["a=1", "z=2"])
        #expect(Self.members(member).isEmpty)
    }

    @Test("of two members with one key the first, which is the latest, counts (§3.3.1.4)")
    func duplicates() {
        #expect(Self.members("a=2,b=1,a=1") == ["a=2", "b=1"])
        #expect(Self.members("a=2", "a=1") == ["a=2"])
    }

    @Test("32 members are accepted, 33 are rejected (§3.3.1.1)")
    func count() {
        #expect(Self.members(Self.list(0..<32)).count == 32)
        #expect(Self.members(Self.list(0..<33)).isEmpty)
        #expect(Self.members(Self.list(0..<32), "more=1").isEmpty)
        // Members that aren't any make the list no shorter, empty ones no longer.
        #expect(Self.members(Self.list(0..<32) + ",bad").isEmpty)
        #expect(Self.members(Self.list(0..<32) + ",,").count == 32)
    }

    @Test("512 characters are retained (§3.3.1.5)")
    func kept() {
        let members = (0..<4).map { "k\($0)=" + String(repeating: "v", count: $0 == 0 ? 125 : 124) }
        #expect(members.joined(separator: ",").utf8.count == 512)
        #expect(TraceState([members.joined(separator: ",")]).members == members)
        #expect(Self.members(members.joined(separator: ",") + ",a=1").count == 4)
    }

    @Test("above 512 characters, members over 128 are removed first, then the last ones")
    func truncated() {
        let large = "big=" + String(repeating: "v", count: 125)
        let small = (0..<6).map { "k\($0)=" + String(repeating: "v", count: 80) }
        #expect(Self.members(([large] + small).joined(separator: ",")) == small)
        let many = (0..<8).map { "k\($0)=" + String(repeating: "v", count: 80) }
        #expect(Self.members(many.joined(separator: ",")) == Array(many[..<6]))
        let mixed = [large] + many
        #expect(Self.members(mixed.joined(separator: ",")) == Array(many[..<6]))
        #expect(Self.members("a=1,\(large)") == ["a=1", large])
    }
}
