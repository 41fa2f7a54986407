import JSONCodec
import JSONPatch
import Testing

@Suite("JSON Merge Patch (RFC 7396)")
struct MergePatchTests {
    @Test(
        "passes the test cases of appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func appendix(_ document: String, _ patch: String, _ result: String) throws {
        #expect(try MergePatch.apply(json(patch), to: json(document)).description == result)
    }

    @Test(
        "is made from two documents, and has what differs alone",
        arguments: [
            ("{}", "{}", "{}"), (#"{"a":1}"#, #"{"a":1}"#, "{}"),
            (#"{"a":1,"b":{"c":1,"d":2}}"#, #"{"a":1,"b":{"c":3,"d":2}}"#, #"{"b":{"c":3}}"#),
            (#"{"a":1,"b":2}"#, #"{"b":2,"c":[null]}"#, #"{"a":null,"c":[null]}"#),
            (#"{"a":{"b":1}}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), ("[1]", #"{"a":1}"#, #"{"a":1}"#),
            (#"{"e":null}"#, #"{"e":null,"a":1}"#, #"{"a":1}"#),
        ]
    )
    func difference(_ old: String, _ new: String, _ patch: String) throws {
        #expect(try MergePatch.difference(from: json(old), to: json(new)) == json(patch))
    }

    @Test(
        "doesn't exist if a member becomes null or has a new null within",
        arguments: [
            (#"{"a":1}"#, #"{"a":null}"#), ("{}", #"{"a":{"b":null}}"#), ("1", "{\"a\":null}"),
        ]
    )
    func inexpressible(_ old: String, _ new: String) throws {
        let patch = try MergePatch.difference(from: json(old), to: json(new))
        #expect(patch == .none)
    }

    @Test("passes section 3's example, and preserves member order and number texts")
    func example() throws {
        let document = try json(
            #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"#
                + #""tags":["example","sample"],"content":"This will be unchanged","n":1.0}"#
        )
        let patch = try json(
            #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"#
                + #""tags":["example"]}"#
        )
        #expect(
            MergePatch.apply(patch, to: document).description
                == #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"#
                + #""content":"This will be unchanged","n":1.0,"phoneNumber":"+01-123-456-7890"}"#
        )
    }

    @Test("preserves nulls in arrays, and removes them from added objects")
    func nulls() throws {
        let merged = try MergePatch.apply(json(#"{"a":[null],"b":{"c":null,"d":1}}"#), to: 1)
        #expect(merged.description == #"{"a":[null],"b":{"d":1}}"#)
    }

    @Test("takes linear time")
    func linear() {
        let members = (0..<50_000).map { "\($0)" }
        let document = JSON.object(JSON.Object(members.map { ($0, 1) }))
        let patch = JSON.object(JSON.Object(members.dropLast().map { ($0, JSON.null) }))
        #expect(MergePatch.apply(patch, to: document) == ["49999": 1])
    }
}
