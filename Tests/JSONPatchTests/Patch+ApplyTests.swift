import JSONCodec
import JSONPatch
import Testing

@Suite("Application of a JSON Patch (RFC 6902 §4)")
struct PatchApplyTests {
    @Test(
        "passes the test cases of appendix A",
        arguments: [
            // A.1 to A.7
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
                #"{"foo":"bar","baz":"qux"}"#
            ),
            (
                #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                #"{"foo":["bar","qux","baz"]}"#
            ),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (
                #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
                #"{"foo":["bar","baz"]}"#
            ),
            (
                #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
                #"{"baz":"boo","foo":"bar"}"#
            ),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#,
                #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            // A.8 and A.9
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
                #"{"baz":"qux","foo":["a",2,"c"]}"#
            ),
            (
                #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#,
                "operation 0: /baz: the test fails: the value differs"
            ),
            // A.10 to A.16
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
                #"{"foo":"bar","child":{"grandchild":{}}}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
                #"{"foo":"bar","baz":"qux"}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
                "operation 0: /baz: there is no such member"
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","op":"remove"}]"#,
                "line 1, column 42: a member's name is given twice"
            ),
            (
                #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#,
                #"{"/":9,"~1":10}"#
            ),
            (
                #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#,
                "operation 0: /~01: the test fails: the value differs"
            ),
            (
                #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
                #"{"foo":["bar",["abc","def"]]}"#
            ),
        ]
    )
    func appendix(_ document: String, _ patch: String, _ result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test(
        "adds, removes and replaces (sections 4.1 to 4.3)",
        arguments: [
            ("{}", "[]", "{}"),
            (#"{"foo":1}"#, "[]", #"{"foo":1}"#),
            ("[]", #"[{"op":"add","path":"/0","value":"foo"}]"#, #"["foo"]"#),
            ("[1]", #"[{"op":"add","path":"/0","value":0}]"#, "[0,1]"),
            ("[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
            (
                "[1]", #"[{"op":"add","path":"/2","value":2}]"#,
                "operation 0: /2: the array has 1 elements"
            ),
            (
                "[1]", #"[{"op":"add","path":"/-1","value":2}]"#,
                "operation 0: /-1: expected an index or -"
            ),
            (
                "[1]", #"[{"op":"add","path":"/01","value":2}]"#,
                "operation 0: /01: expected an index or -"
            ),
            (
                "[1]", #"[{"op":"add","path":"/1e0","value":2}]"#,
                "operation 0: /1e0: expected an index or -"
            ),
            (
                "[1]", #"[{"op":"add","path":"/bar","value":2}]"#,
                "operation 0: /bar: expected an index or -"
            ),
            (
                "[]",
                #"[{"op":"add","path":"/-","value":[]},{"op":"add","path":"/0/-","value":[null]}]"#,
                "[[[null]]]"
            ),
            ("{}", #"[{"op":"add","path":"/","value":1}]"#, #"{"":1}"#),
            ("{}", #"[{"op":"add","path":"/-","value":1}]"#, #"{"-":1}"#),
            ("{}", #"[{"op":"add","path":"/0","value":1}]"#, #"{"0":1}"#),
            (#"{"foo":{}}"#, #"[{"op":"add","path":"/foo/","value":1}]"#, #"{"foo":{"":1}}"#),
            (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
            (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":null}]"#, #"{"a":null}"#),
            (
                #"{"a":1}"#, #"[{"op":"add","path":"/a/b","value":1}]"#,
                "operation 0: /a: expected an array or an object"
            ),
            (
                #"{"a":1}"#, #"[{"op":"add","path":"/a/b/c","value":1}]"#,
                "operation 0: /a/b: a number has no members"
            ),
            (#"{"a":1}"#, #"[{"op":"add","path":"","value":[]}]"#, "[]"),
            (
                "1", #"[{"op":"add","path":"/a","value":1}]"#,
                "operation 0: expected an array or an object"
            ),
            (
                #"{"a":1}"#, #"[{"op":"remove","path":"/b"}]"#,
                "operation 0: /b: there is no such member"
            ),
            ("[1]", #"[{"op":"remove","path":"/1"}]"#, "operation 0: /1: the array has 1 elements"),
            (
                "[1]", #"[{"op":"remove","path":"/-"}]"#,
                "operation 0: /-: expected an index, an integer without a leading zero"
            ),
            ("[1,2,3,4]", #"[{"op":"remove","path":"/1"},{"op":"remove","path":"/2"}]"#, "[1,3]"),
            (
                "[1]", #"[{"op":"remove","path":""}]"#,
                "operation 0: the whole document can't be removed"
            ),
            (
                #""x""#, #"[{"op":"remove","path":"/0"}]"#,
                "operation 0: /0: a string has no members"
            ),
            (#"{"a":1}"#, #"[{"op":"replace","path":"","value":{"b":2}}]"#, #"{"b":2}"#),
            (
                #"{"a":1}"#, #"[{"op":"replace","path":"/b","value":1}]"#,
                "operation 0: /b: there is no such member"
            ),
            (
                "[1]", #"[{"op":"replace","path":"/1","value":1}]"#,
                "operation 0: /1: the array has 1 elements"
            ),
            (
                "[1,[2,{\"a\":3}]]", #"[{"op":"replace","path":"/1/1/a","value":4}]"#,
                #"[1,[2,{"a":4}]]"#
            ),
            (
                #"{"a":1,"b":2}"#, #"[{"op":"replace","path":"/a","value":[1]}]"#,
                #"{"a":[1],"b":2}"#
            ),
            (
                "true", #"[{"op":"replace","path":"/a","value":1}]"#,
                "operation 0: /a: a boolean has no members"
            ),
        ]
    )
    func changes(_ document: String, _ patch: String, _ result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test(
        "moves, copies and tests (sections 4.4 to 4.6)",
        arguments: [
            (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
            (#"{"a":1}"#, #"[{"op":"move","from":"","path":""}]"#, #"{"a":1}"#),
            (
                #"{"a":1}"#, #"[{"op":"move","from":"/b","path":"/b"}]"#,
                "operation 0: /b: there is no such member"
            ),
            (
                #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
                "operation 0: /0/path: a value can't be moved into itself"
            ),
            (
                #"{"a":1}"#, #"[{"op":"move","from":"","path":"/a"}]"#,
                "operation 0: /0/path: a value can't be moved into itself"
            ),
            (
                #"{"a":1,"ab":{}}"#, #"[{"op":"move","from":"/a","path":"/ab/c"}]"#,
                #"{"ab":{"c":1}}"#
            ),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
            ("[1,2,3]", #"[{"op":"move","from":"/2","path":"/0"}]"#, "[3,1,2]"),
            ("[1,2,3]", #"[{"op":"move","from":"/0","path":"/-"}]"#, "[2,3,1]"),
            (
                "[1,2,3]", #"[{"op":"move","from":"/0","path":"/3"}]"#,
                "operation 0: /3: the array has 2 elements"
            ),
            ("[[],1]", #"[{"op":"move","from":"/1","path":"/0/0"}]"#, "[[1]]"),
            (
                #"{"a":[1]}"#,
                #"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/-","value":2}]"#,
                #"{"a":[1],"b":[1,2]}"#
            ),
            (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
            ("[1,2]", #"[{"op":"copy","from":"/0","path":"/-"}]"#, "[1,2,1]"),
            (
                #"{"a":1}"#, #"[{"op":"copy","from":"/b","path":"/c"}]"#,
                "operation 0: /b: there is no such member"
            ),
            (#"{"a":null}"#, #"[{"op":"move","from":"/a","path":"/b"}]"#, #"{"b":null}"#),
            ("1", #"[{"op":"test","path":"","value":1}]"#, "1"),
            ("[1]", #"[{"op":"test","path":"/0","value":1.0}]"#, "[1]"),
            ("[100]", #"[{"op":"test","path":"/0","value":1e2}]"#, "[100]"),
            ("[-0.0]", #"[{"op":"test","path":"/0","value":0}]"#, "[-0.0]"),
            (
                "[10000000000000000000000001]",
                #"[{"op":"test","path":"/0","value":10000000000000000000000000}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            (
                "[0.1]", #"[{"op":"test","path":"/0","value":0.10000000000000000001}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            (
                "[1]", #"[{"op":"test","path":"/0","value":"1"}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            (
                "[null]", #"[{"op":"test","path":"/0","value":false}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            ("[null]", #"[{"op":"test","path":"/0","value":null}]"#, "[null]"),
            (
                #"[{"a":1,"b":[2]}]"#, #"[{"op":"test","path":"/0","value":{"b":[2.0],"a":1}}]"#,
                #"[{"a":1,"b":[2]}]"#
            ),
            (
                #"[{"a":1}]"#, #"[{"op":"test","path":"/0","value":{"a":1,"b":2}}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            (
                "[[1,2]]", #"[{"op":"test","path":"/0","value":[2,1]}]"#,
                "operation 0: /0: the test fails: the value differs"
            ),
            (#"["A"]"#, #"[{"op":"test","path":"/0","value":"\u0041"}]"#, #"["A"]"#),
            (
                "[\"e\u{301}\"]", "[{\"op\":\"test\",\"path\":\"/0\",\"value\":\"\u{E9}\"}]",
                "operation 0: /0: the test fails: the value differs"
            ),
        ]
    )
    func moves(_ document: String, _ patch: String, _ result: String) throws {
        #expect(try patched(document, patch) == result)
    }

    @Test("applies all operations or none")
    func atomic() throws {
        let document = try json(#"{"a":[1,2],"b":{"c":3}}"#)
        let patch = try Patch(
            json(
                #"[{"op":"remove","path":"/a/0"},{"op":"add","path":"/b/d","value":4},"#
                    + #"{"op":"test","path":"/a/0","value":1}]"#
            )
        )
        let error = #expect(throws: PatchError.self) { try patch.apply(to: document) }
        #expect(error?.operation == 2)
        #expect(error?.pointer == "/a/0")
        #expect(document.description == #"{"a":[1,2],"b":{"c":3}}"#)
    }

    @Test("preserves number texts and member order")
    func texts() throws {
        let result = try patched(
            #"{"z":1.10,"when":{"y":1E5,"x":123456789012345678901234567890},"a":[-0.0]}"#,
            #"[{"op":"add","path":"/a/0","value":2.50},{"op":"move","from":"/z","path":"/when/z"}]"#
        )
        #expect(
            result
                == #"{"when":{"y":1E5,"x":123456789012345678901234567890,"z":1.10},"a":[2.50,-0.0]}"#
        )
    }
}
