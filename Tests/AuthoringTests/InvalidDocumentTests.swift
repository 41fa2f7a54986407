import Behaviors
import Targeting
import Testing

@Suite("Invalid documents")
struct InvalidDocumentTests {
    @Test(
        "an invalid document is rejected with column, JSON Pointer and reason",
        arguments: rows.split(separator: "\n").map(String.init)
    )
    func refused(_ row: String) throws {
        let parts = row.split(separator: " → ", maxSplits: 1)
        try #require(parts.count == 2)
        #expect(told(Array(parts[0].utf8)) == String(parts[1]))
    }

    @Test(
        "an empty document, a byte order mark and a raw control character are rejected",
        arguments: [
            ("", "1: expected a value"),
            (" ", "2: expected a value"),
            ("\u{FEFF}[]", "1: a byte order mark is not allowed"),
            (
                "[{\"name\":\"A\tB\",\"actions\":[]}]",
                "12: /0/name: a control character must be escaped"
            ),
        ]
    )
    func unseen(_ text: String, _ problem: String) {
        #expect(told(Array(text.utf8)) == problem)
    }

    @Test("the table has more than 200 invalid documents")
    func count() {
        #expect(Self.rows.split(separator: "\n").count > 200)
    }

    /// Returns the problems of a document, all of them on line 1.
    private func told(_ document: [UInt8]) -> String {
        do throws(InvalidBehavior) {
            _ = try TargetedBehavior(json: document)
            return "it is taken"
        } catch {
            return error.problems.map { problem in
                let pointer = problem.pointer.isEmpty ? "" : "\(problem.pointer): "
                let line = problem.line == 1 ? "" : "line \(problem.line), "
                return "\(line)\(problem.column): \(pointer)\(problem.message)"
            }.joined(separator: "; ")
        }
    }

    static let rows = #"""
        [ → 2: /0: expected a value
        ] → 1: expected a value
        [,] → 2: /0: expected a value
        [1,] → 4: /1: expected a value
        [} → 2: /0: expected a value
        {] → 2: expected a member's name
        [[] → 4: expected ',' or ']'
        nul → 1: expected a value
        NULL → 1: expected a value
        True → 1: expected a value
        undefined → 1: expected a value
        ['A'] → 2: /0: expected a value
        [{name:"A","actions":[]}] → 3: /0: expected a member's name
        [{"name":"A","actions":[]},] → 28: /1: expected a value
        [{"name":"A","actions":[],}] → 27: /0: expected a member's name
        [{"name" "A","actions":[]}] → 10: /0/name: expected ':'
        [{"name":"A" "actions":[]}] → 14: /0: expected ',' or '}'
        [{"name":"A","actions":[{"func":"f","value":01}]}] → 45: /0/actions/0/value: a number has no leading zero
        [{"name":"A","actions":[{"func":"f","value":.5}]}] → 45: /0/actions/0/value: expected a value
        [{"name":"A","actions":[{"func":"f","value":1.}]}] → 47: /0/actions/0/value: expected a digit
        [{"name":"A","actions":[{"func":"f","value":1e}]}] → 47: /0/actions/0/value: expected a digit
        [{"name":"A","actions":[{"func":"f","value":+1}]}] → 45: /0/actions/0/value: expected a value
        [{"name":"A","actions":[{"func":"f","value":-}]}] → 46: /0/actions/0/value: expected a digit
        [{"name":"A","actions":[{"func":"f","value":NaN}]}] → 45: /0/actions/0/value: expected a value
        [{"name":"A","actions":[{"func":"f","value":0x10}]}] → 46: /0/actions/0: expected ',' or '}'
        [{"name":"A","actions":[{"func":"f","value":Infinity}]}] → 45: /0/actions/0/value: expected a value
        [{"name":"A\x","actions":[]}] → 12: /0/name: no such escape
        [{"name":"A\u12","actions":[]}] → 12: /0/name: expected four hexadecimal digits
        [{"name":"\ud800","actions":[]}] → 11: /0/name: half a surrogate pair
        [{"name":"\udc00\ud800","actions":[]}] → 11: /0/name: half a surrogate pair
        [{"name":"A,"actions":[]}] → 14: /0: expected ',' or '}'
        [{"name":"A","actions":[]} → 27: expected ',' or ']'
        [{"name":"A","actions":[]}]] → 28: expected the end of the document
        [{"name":"A","actions":[]}] [] → 29: expected the end of the document
        [] // none → 4: expected the end of the document
        /* none */ [] → 1: expected a value
        [{"name":"A","actions":[]}]; → 28: expected the end of the document
        [{"name":"A","name":"B","actions":[]}] → 14: /0/name: a member's name is given twice
        [{"name":"A","actions":[],"actions":[]}] → 27: /0/actions: a member's name is given twice
        [{"name":"A","actions":[{"func":"f","func":"g"}]}] → 37: /0/actions/0/func: a member's name is given twice
        [{"name":"A","actions":[{"func":"f","value":{"x":1,"\u0078":2}}]}] → 52: /0/actions/0/value/x: a member's name is given twice
        [{"name":"A","actions":[{"func":"f","when":true,"when":false}]}] → 49: /0/actions/0/when: a member's name is given twice
        [{"":1,"":2}] → 8: /0/: a member's name is given twice
        [{"name":"A","actions":[{"func":"f","value":"\"}]}] → 45: /0/actions/0/value: the string has no end
        {} → 1: /modules: missing
        null → 1: expected an array of modules
        true → 1: expected an array of modules
        0 → 1: expected an array of modules
        "[]" → 1: expected an array of modules
        {"modules":[],"rules":[]} → 23: /rules: expected only modules and segments
        {"name":"A","actions":[]} → 1: /modules: missing; 9: /name: expected only modules and segments; 23: /actions: expected only modules and segments
        {"0":{"name":"A","actions":[]}} → 1: /modules: missing; 6: /0: expected only modules and segments
        [null] → 2: /0: expected an object
        [true] → 2: /0: expected an object
        [0] → 2: /0: expected an object
        ["A"] → 2: /0: expected an object
        [[]] → 2: /0: expected an object
        [[{"name":"A","actions":[]}]] → 2: /0: expected an object
        [{"name":"A","actions":[]},null] → 28: /1: expected an object
        [1,2,3] → 2: /0: expected an object; 4: /1: expected an object; 6: /2: expected an object
        [{"name":"A","actions":[]},"B",{"name":"C","actions":[]},[]] → 28: /1: expected an object; 58: /3: expected an object
        [{}] → 2: /0/name: missing; 2: /0/actions: missing
        [{"name":"A"}] → 2: /0/actions: missing
        [{"actions":[]}] → 2: /0/name: missing
        [{"name":null,"actions":[]}] → 10: /0/name: expected a string
        [{"name":1,"actions":[]}] → 10: /0/name: expected a string
        [{"name":["A"],"actions":[]}] → 10: /0/name: expected a string
        [{"name":{"a":1},"actions":[]}] → 10: /0/name: expected a string
        [{"name":true,"actions":[]}] → 10: /0/name: expected a string
        [{"Name":"A","actions":[]}] → 2: /0/name: missing
        [{"name ":"A","actions":[]}] → 2: /0/name: missing
        [{"nаme":"A","actions":[]}] → 2: /0/name: missing
        [{"title":"A","actions":[]}] → 2: /0/name: missing
        [{"module":"A","functions":[]}] → 2: /0/name: missing; 2: /0/actions: missing
        [{"name":"A","action":[]}] → 2: /0/actions: missing
        [{"name":"A","Actions":[]}] → 2: /0/actions: missing
        [{"name":"A","actions":null}] → 24: /0/actions: expected an array
        [{"name":"A","actions":{}}] → 24: /0/actions: expected an array
        [{"name":"A","actions":"f"}] → 24: /0/actions: expected an array
        [{"name":"A","actions":0}] → 24: /0/actions: expected an array
        [{"name":"A","actions":true}] → 24: /0/actions: expected an array
        [{"name":"A","actions":{"func":"f"}}] → 24: /0/actions: expected an array
        [{"name":1,"actions":2}] → 10: /0/name: expected a string; 22: /0/actions: expected an array
        [{},{}] → 2: /0/name: missing; 2: /0/actions: missing; 5: /1/name: missing; 5: /1/actions: missing
        [{"name":"A","actions":[]},{"name":"B"}] → 28: /1/actions: missing
        [{"name":"A"},{"actions":[]},{"name":3,"actions":[]},4] → 2: /0/actions: missing; 15: /1/name: missing; 38: /2/name: expected a string; 54: /3: expected an object
        [{"name":"A","actions":[]},{"name":"B","actions":{}},{"name":"C","actions":[]}] → 50: /1/actions: expected an array
        [{"name":"A","actions":[null]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":[1]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":["f"]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":[[]]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":[true]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":[{}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"value":1}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"func":null}]}] → 33: /0/actions/0/func: expected a string
        [{"name":"A","actions":[{"func":1}]}] → 33: /0/actions/0/func: expected a string
        [{"name":"A","actions":[{"func":["f"]}]}] → 33: /0/actions/0/func: expected a string
        [{"name":"A","actions":[{"func":{"name":"f"}}]}] → 33: /0/actions/0/func: expected a string
        [{"name":"A","actions":[{"func":false,"value":1}]}] → 33: /0/actions/0/func: expected a string
        [{"name":"A","actions":[{"Func":"f"}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"function":"f"}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"name":"f"}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"fun":"f","value":1}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"func":"f"},{"func":2}]}] → 46: /0/actions/1/func: expected a string
        [{"name":"A","actions":[{"func":"f"},{},{"func":"g"},null]}] → 38: /0/actions/1/func: missing; 54: /0/actions/3: expected an object
        [{"name":"A","actions":[[{"func":"f"}]]}] → 25: /0/actions/0: expected an object
        [{"name":"A","actions":[{"func":"f"},"g"]}] → 38: /0/actions/1: expected an object
        [{"name":"A","actions":[0,1,2]}] → 25: /0/actions/0: expected an object; 27: /0/actions/1: expected an object; 29: /0/actions/2: expected an object
        [{"name":"A","actions":[{"when":true}]}] → 25: /0/actions/0/func: missing
        [{"name":"A","actions":[{"func":null,"when":{"rollout":101}}]}] → 33: /0/actions/0/func: expected a string; 56: /0/actions/0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":1}]},{"name":"B","actions":[{"func":2}]}] → 33: /0/actions/0/func: expected a string; 69: /1/actions/0/func: expected a string
        [{"name":"A","actions":[{}]},{"name":"B","actions":[{"func":"g"},{}]}] → 25: /0/actions/0/func: missing; 66: /1/actions/1/func: missing
        [{"name":"A/B","actions":[{"func":"~"},{"~":1}]}] → 40: /0/actions/1/func: missing
        [{"name":"A","actions":[{"func":"f","value":{"deep":[{"ok":1}]}},{"value":{"func":"f"}}]}] → 66: /0/actions/1/func: missing
        [{"actions":[{"value":1},{"func":3}],"name":[]}] → 14: /0/actions/0/func: missing; 34: /0/actions/1/func: expected a string; 45: /0/name: expected a string
        [{"name":"A","actions":[],"when":null}] → 34: /0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[],"when":0}] → 34: /0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[],"when":"LV"}] → 34: /0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[],"when":[]}] → 34: /0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[],"when":{}}] → 34: /0/when: expected one operation, an object with one member
        [{"name":"A","actions":[],"when":{"rollout":10,"segment":"beta"}}] → 34: /0/when: expected one operation, an object with one member
        [{"name":"A","actions":[],"when":{"country":"LV"}}] → 45: /0/when/country: no such operation
        [{"name":"A","actions":[],"when":{"os":["ios"]}}] → 40: /0/when/os: no such operation
        [{"name":"A","actions":[],"when":{"if":[]  ,"x":1}}] → 34: /0/when: expected one operation, an object with one member
        [{"name":"A","actions":[],"when":{"rollout":"10"}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":{"rollout":"10 %"}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":{"rollout":{"percent":10}}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals; 56: /0/when/rollout/percent: no such operation
        [{"name":"A","actions":[],"when":{"percentage":10}}] → 48: /0/when/percentage: no such operation
        [{"name":"A","actions":[],"when":{"rollout":110}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":{"rollout":12.3456}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":{"segment":"alpha"}}] → 45: /0/when/segment: no such segment
        [{"name":"A","actions":[],"when":{"segment":["beta","alpha"]}}] → 45: /0/when/segment: takes 1 operand, not 2
        [{"name":"A","actions":[],"when":{"segment":[]}}] → 45: /0/when/segment: takes 1 operand, not 0
        [{"name":"A","actions":[],"when":{"sem_ver":[{"var":"version"},">=","two"]}}] → 69: /0/when/sem_ver/2: expected a semantic version
        [{"name":"A","actions":[],"when":{"sem_ver":[{"var":"version"},">="]}}] → 45: /0/when/sem_ver: takes 3 operands, not 2
        [{"name":"A","actions":[],"when":{"==":[{"var":"country"}]}}] → 40: /0/when/==: takes 2 operands, not 1
        [{"name":"A","actions":[],"when":{"in":[{"var":"country"}]}}] → 40: /0/when/in: takes 2 operands, not 1
        [{"name":"A","actions":[],"when":{"and":[]}}] → 41: /0/when/and: takes at least 1 operand, not 0
        [{"name":"A","actions":[],"when":{"and":[{"rollout":10},{"country":"LV"}]}}] → 68: /0/when/and/1/country: no such operation
        [{"name":"A","actions":[],"when":{"or":[{"segment":"gamma"},{"rollout":1000}]}}] → 52: /0/when/or/0/segment: no such segment; 72: /0/when/or/1/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":{"!":[true,false]}}] → 39: /0/when/!: takes at most 1 operand, not 2
        [{"name":"A","actions":[],"when":{"starts_with":[{"var":"email"}]}}] → 49: /0/when/starts_with: takes 2 operands, not 1
        [{"name":"A","actions":[],"when":{"ends_with":[{"var":"email"},5]}}] → 64: /0/when/ends_with/1: expected a text
        [{"name":"A","actions":[],"when":{"fractional":[["on",50],["off","50"]]}}] → 66: /0/when/fractional/1/1: a weight is not an integer of at most 2147483647
        [{"name":"A","actions":[],"when":{"fractional":[]}}] → 48: /0/when/fractional: takes at least 1 operand, not 0
        [{"name":"A","actions":[],"when":{"var":["a","b","c"]}}] → 41: /0/when/var: takes at most 2 operands, not 3
        [{"name":"A","actions":[],"when":{"missing_some":["1",["a"]]}}] → 51: /0/when/missing_some/0: expected a number of needed paths, an integer above 0
        [{"name":"A","actions":[],"when":{">":[{"var":"age"}]}}] → 39: /0/when/>: takes 2 operands, not 1
        [{"name":"A","actions":[],"when":{"%":[{"var":"id"},0]}}] → 53: /0/when/%/1: divides by zero
        [{"name":"A","actions":[],"when":{"/":[1,0]}}] → 42: /0/when/~1/1: divides by zero
        [{"name":"A","actions":[],"when":{"unknown":{"deeper":1}}}] → 45: /0/when/unknown: no such operation
        [{"name":"A","actions":[],"when":{"$ref":"beta"}}] → 42: /0/when/$ref: no such operation
        [{"name":"A","actions":[],"when":{"rollout":[10,"seed"]}}] → 49: /0/when/rollout/1: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{}}]}] → 57: /0/actions/1/when: expected one operation, an object with one member
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"country":"LV"}}]}] → 68: /0/actions/1/when/country: no such operation
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"if":[]  ,"x":1}}]}] → 57: /0/actions/1/when: expected one operation, an object with one member
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"rollout":"10 %"}}]}] → 68: /0/actions/1/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"percentage":10}}]}] → 71: /0/actions/1/when/percentage: no such operation
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"rollout":12.3456}}]}] → 68: /0/actions/1/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"segment":["beta","alpha"]}}]}] → 68: /0/actions/1/when/segment: takes 1 operand, not 2
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"sem_ver":[{"var":"version"},">=","two"]}}]}] → 92: /0/actions/1/when/sem_ver/2: expected a semantic version
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"==":[{"var":"country"}]}}]}] → 63: /0/actions/1/when/==: takes 2 operands, not 1
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"and":[]}}]}] → 64: /0/actions/1/when/and: takes at least 1 operand, not 0
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"or":[{"segment":"gamma"},{"rollout":1000}]}}]}] → 75: /0/actions/1/when/or/0/segment: no such segment; 95: /0/actions/1/when/or/1/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"starts_with":[{"var":"email"}]}}]}] → 72: /0/actions/1/when/starts_with: takes 2 operands, not 1
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"fractional":[["on",50],["off","50"]]}}]}] → 89: /0/actions/1/when/fractional/1/1: a weight is not an integer of at most 2147483647
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"var":["a","b","c"]}}]}] → 64: /0/actions/1/when/var: takes at most 2 operands, not 3
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{">":[{"var":"age"}]}}]}] → 62: /0/actions/1/when/>: takes 2 operands, not 1
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"/":[1,0]}}]}] → 65: /0/actions/1/when/~1/1: divides by zero
        [{"name":"A","actions":[{"func":"f"},{"func":"g","when":{"$ref":"beta"}}]}] → 65: /0/actions/1/when/$ref: no such operation
        [{"name":"A","when":{"nope":1},"actions":[{"func":"f","when":{"nope":2}}]}] → 29: /0/when/nope: no such operation; 70: /0/actions/0/when/nope: no such operation
        [{"name":"A","when":{"nope":1},"actions":[]},{"name":"B","when":{"nope":1},"actions":[]}] → 29: /0/when/nope: no such operation; 73: /1/when/nope: no such operation
        [{"name":"A","actions":[{"func":"f","when":{"segment":"alpha"}},{"func":"g","when":{"segment":"alpha"}}]}] → 55: /0/actions/0/when/segment: no such segment; 95: /0/actions/1/when/segment: no such segment
        [{"name":1,"when":{"nope":1},"actions":[{"func":"f","when":{"rollout":-1}}]}] → 10: /0/name: expected a string; 27: /0/when/nope: no such operation; 71: /0/actions/0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"when":{"nope":1}},{"name":"B","actions":[{"when":{"nope":1}}]}] → 2: /0/name: missing; 2: /0/actions: missing; 18: /0/when/nope: no such operation; 45: /1/actions/0/func: missing; 61: /1/actions/0/when/nope: no such operation
        [5,{"name":"B","actions":[{"func":"f","when":{"rollout":"x"}}]}] → 2: /0: expected an object; 57: /1/actions/0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f","when":{"and":[{"nope":1},{"or":[{"rollout":200}]}]}}]}] → 60: /0/actions/0/when/and/0/nope: no such operation; 81: /0/actions/0/when/and/1/or/0/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f","when":"true"}]}] → 44: /0/actions/0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[{"func":"f","when":1}]}] → 44: /0/actions/0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":{},"when":[]}] → 24: /0/actions: expected an array; 34: /0/when: expected a rule: an object with one operation, true or false
        [{"name":"A","actions":[],"when":{"==":[1e999,1]}}] → 41: /0/when/==/0: out of range
        [{"name":"A","actions":[],"when":{"a/b":1}}] → 41: /0/when/a~1b: no such operation
        [{"name":"A","actions":[],"when":{"~":1}}] → 39: /0/when/~0: no such operation
        [{"name":"A","actions":[],"when":{"Rollout":10}}] → 45: /0/when/Rollout: no such operation
        [{"name":"A","actions":[],"when":{"rollout ":10}}] → 46: /0/when/rollout : no such operation
        [{"name":"A","actions":[],"when":{"and":[{"a":1},{"b":2},{"c":3}]}}] → 47: /0/when/and/0/a: no such operation; 55: /0/when/and/1/b: no such operation; 63: /0/when/and/2/c: no such operation
        [{"name":"A","actions":[],"when":{"map":[{"var":"l"},{"x":1}]}}] → 59: /0/when/map/1/x: no such operation
        [{"name":"A","actions":[],"when":{"var":"$flagd.user"}}] → 41: /0/when/var: expected $flagd.flagKey or $flagd.timestamp
        [{"name":"A","actions":[],"when":{"all":[1,{"x":1}]}}] → 42: /0/when/all/0: expected a list; 49: /0/when/all/1/x: no such operation
        [{"name":"A","actions":[],"when":{"cat":[{"x":1}]}}] → 47: /0/when/cat/0/x: no such operation
        [{"name":"A","actions":[],"when":{"if":[{"rollout":5},{"rollout":"5"}]}}] → 66: /0/when/if/1/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[{"func":"f","value":1}],"when":{"fractional":[["a",0]]}}] → 70: /0/when/fractional: no weight is above 0
        [{"name":"A","actions":[{"func":"f","value":tru}]}] → 45: /0/actions/0/value: expected a value
        [{"name":"A","actions":[{"func":"f"}}] → 37: /0/actions: expected ',' or ']'
        [{"name":"A","actions":[{"func":"f"]}] → 36: /0/actions/0: expected ',' or '}'
        [{"name":"A","actions":[{"func":"f" "value":1}]}] → 37: /0/actions/0: expected ',' or '}'
        [{"name":"A","actions":[{"func":"f",,"value":1}]}] → 37: /0/actions/0: expected a member's name
        [{"name":"A","actions":[{"func":}]}] → 33: /0/actions/0/func: expected a value
        [{"name":"A","actions":[{"func":"f","value":1 2}]}] → 47: /0/actions/0: expected ',' or '}'
        [{"name":"A","actions":[{:"f"}]}] → 26: /0/actions/0: expected a member's name
        [{"name":"A","actions":[{"func":"f","value":--1}]}] → 46: /0/actions/0/value: expected a digit
        [{"name":"A","actions":[{"func":"f","value":1e+}]}] → 48: /0/actions/0/value: expected a digit
        [{"name":"A","actions":[],"when":{"rollout":{"rollout":10}}}] → 45: /0/when/rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        [{"name":"A","actions":[],"when":[{"rollout":10}]}] → 34: /0/when: expected a rule: an object with one operation, true or false
        """#
}
