import JSONCodec
import Testing

@testable import Targeting

@Suite("Invalid rules")
struct RuleCompilerTests {
    @Test(
        "an invalid rule is rejected with location and reason",
        arguments: rows.split(separator: "\n").map(String.init)
    )
    func refused(_ row: String) throws {
        let parts = row.split(separator: " → ", maxSplits: 1)
        try #require(parts.count == 2)
        let rule = try JSON(parsing: parts[0].utf8)
        let error = #expect(throws: TargetingError.self) {
            _ = try TargetingRule(rule, segments: ["beta": true])
        }
        let described = error?.problems.map { "\($0.pointer): \($0.message)" }.joined(
            separator: "; "
        )
        #expect(described == String(parts[1]))
    }

    @Test("the table has more than 200 invalid rules")
    func count() {
        #expect(Self.rows.split(separator: "\n").count > 200)
    }

    static let rows = #"""
        null → : expected a rule: an object with one operation, true or false
        0 → : expected a rule: an object with one operation, true or false
        1 → : expected a rule: an object with one operation, true or false
        "yes" → : expected a rule: an object with one operation, true or false
        [] → : expected a rule: an object with one operation, true or false
        [true] → : expected a rule: an object with one operation, true or false
        {} → : expected one operation, an object with one member
        {"==": [1, 1], "!=": [1, 2]} → : expected one operation, an object with one member
        {"var": "a", "default": 1} → : expected one operation, an object with one member
        {"and": [true], "or": [true]} → : expected one operation, an object with one member
        {"equals": [1, 2]} → /equals: no such operation
        {"=": [1, 2]} → /=: no such operation
        {"<>": [1, 2]} → /<>: no such operation
        {"&&": [true, true]} → /&&: no such operation
        {"||": [true, true]} → /||: no such operation
        {"not": true} → /not: no such operation
        {"IF": [true, 1, 2]} → /IF: no such operation
        {"Var": "a"} → /Var: no such operation
        {"log": "x"} → /log: no such operation
        {"method": [{"var": "a"}, "length"]} → /method: no such operation
        {"$ref": "beta"} → /$ref: no such operation
        {"semver": [{"var": "v"}, "=", "1.0.0"]} → /semver: no such operation
        {"sem-ver": [{"var": "v"}, "=", "1.0.0"]} → /sem-ver: no such operation
        {"fractionalEvaluation": ["email", ["a", 1]]} → /fractionalEvaluation: no such operation
        {"startsWith": ["a", "a"]} → /startsWith: no such operation
        {"": [1]} → /: no such operation
        {" ": [1]} → / : no such operation
        {"a/b": [1]} → /a~1b: no such operation
        {"a~b": [1]} → /a~0b: no such operation
        {"[]": [1]} → /[]: no such operation
        {"==": []} → /==: takes 2 operands, not 0
        {"==": [1]} → /==: takes 2 operands, not 1
        {"==": 1} → /==: takes 2 operands, not 1
        {"==": [1, 2, 3]} → /==: takes 2 operands, not 3
        {"===": [1]} → /===: takes 2 operands, not 1
        {"===": [1, 2, 3]} → /===: takes 2 operands, not 3
        {"!=": [1]} → /!=: takes 2 operands, not 1
        {"!=": [1, 2, 3]} → /!=: takes 2 operands, not 3
        {"!==": []} → /!==: takes 2 operands, not 0
        {"!==": [1, 2, 3]} → /!==: takes 2 operands, not 3
        {"!": [true, false]} → /!: takes at most 1 operand, not 2
        {"!!": [true, false]} → /!!: takes at most 1 operand, not 2
        {"and": []} → /and: takes at least 1 operand, not 0
        {"or": []} → /or: takes at least 1 operand, not 0
        {">": [1]} → />: takes 2 operands, not 1
        {">": [1, 2, 3]} → />: takes 2 operands, not 3
        {">=": 1} → />=: takes 2 operands, not 1
        {">=": [1, 2, 3]} → />=: takes 2 operands, not 3
        {"<": [1]} → /<: takes 2 to 3 operands, not 1
        {"<": [1, 2, 3, 4]} → /<: takes 2 to 3 operands, not 4
        {"<=": []} → /<=: takes 2 to 3 operands, not 0
        {"<=": [1, 2, 3, 4]} → /<=: takes 2 to 3 operands, not 4
        {"max": []} → /max: takes at least 1 operand, not 0
        {"min": []} → /min: takes at least 1 operand, not 0
        {"+": []} → /+: takes at least 1 operand, not 0
        {"*": []} → /*: takes at least 1 operand, not 0
        {"-": []} → /-: takes 1 to 2 operands, not 0
        {"-": [1, 2, 3]} → /-: takes 1 to 2 operands, not 3
        {"/": [1]} → /~1: takes 2 operands, not 1
        {"/": [1, 2, 3]} → /~1: takes 2 operands, not 3
        {"%": [1]} → /%: takes 2 operands, not 1
        {"%": [1, 2, 3]} → /%: takes 2 operands, not 3
        {"map": [[1]]} → /map: takes 2 operands, not 1
        {"map": [[1], true, 3]} → /map: takes 2 operands, not 3
        {"filter": [[1]]} → /filter: takes 2 operands, not 1
        {"filter": [[1], true, 3]} → /filter: takes 2 operands, not 3
        {"reduce": [[1]]} → /reduce: takes 2 to 3 operands, not 1
        {"reduce": [[1], 1, 0, 0]} → /reduce: takes 2 to 3 operands, not 4
        {"all": [[1]]} → /all: takes 2 operands, not 1
        {"none": [[1]]} → /none: takes 2 operands, not 1
        {"some": [[1]]} → /some: takes 2 operands, not 1
        {"some": [[1], true, false]} → /some: takes 2 operands, not 3
        {"in": ["a"]} → /in: takes 2 operands, not 1
        {"in": ["a", "b", "c"]} → /in: takes 2 operands, not 3
        {"cat": []} → /cat: takes at least 1 operand, not 0
        {"substr": ["text"]} → /substr: takes 2 to 3 operands, not 1
        {"substr": ["text", 1, 2, 3]} → /substr: takes 2 to 3 operands, not 4
        {"missing_some": [1]} → /missing_some: takes 2 operands, not 1
        {"missing_some": [1, ["a"], 3]} → /missing_some: takes 2 operands, not 3
        {"sem_ver": []} → /sem_ver: takes 3 operands, not 0
        {"sem_ver": [{"var": "v"}]} → /sem_ver: takes 3 operands, not 1
        {"sem_ver": [{"var": "v"}, ">="]} → /sem_ver: takes 3 operands, not 2
        {"sem_ver": [{"var": "v"}, ">=", "1", "2"]} → /sem_ver: takes 3 operands, not 4
        {"starts_with": ["a"]} → /starts_with: takes 2 operands, not 1
        {"starts_with": ["a", "b", "c"]} → /starts_with: takes 2 operands, not 3
        {"ends_with": "a"} → /ends_with: takes 2 operands, not 1
        {"ends_with": ["a", "b", "c"]} → /ends_with: takes 2 operands, not 3
        {"segment": []} → /segment: takes 1 operand, not 0
        {"segment": ["beta", "beta"]} → /segment: takes 1 operand, not 2
        {"rollout": []} → /rollout: takes 1 to 2 operands, not 0
        {"rollout": [{"var": "a"}, 10, 20]} → /rollout: takes 1 to 2 operands, not 3
        {"fractional": []} → /fractional: takes at least 1 operand, not 0
        {"var": [1, 2, 3]} → /var: takes at most 2 operands, not 3
        {"var": true} → /var: expected a path, a text
        {"var": [["a"]]} → /var/0: expected a path, a text
        {"var": [false, 1]} → /var/0: expected a path, a text
        {"var": "$flagd.key"} → /var: expected $flagd.flagKey or $flagd.timestamp
        {"var": "$flagd"} → /var: expected $flagd.flagKey or $flagd.timestamp
        {"var": "$flagd.flagKey.a"} → /var: expected $flagd.flagKey or $flagd.timestamp
        {"missing": [true]} → /missing/0: expected a path or a list of paths
        {"missing": [["a", true]]} → /missing/0: expected a path or a list of paths
        {"missing": ["a", null]} → /missing/1: expected a path or a list of paths
        {"missing_some": ["1", ["a"]]} → /missing_some/0: expected a number of needed paths, an integer above 0
        {"missing_some": [0, ["a"]]} → /missing_some/0: expected a number of needed paths, an integer above 0
        {"missing_some": [-1, ["a"]]} → /missing_some/0: expected a number of needed paths, an integer above 0
        {"missing_some": [1.5, ["a"]]} → /missing_some/0: expected a number of needed paths, an integer above 0
        {"missing_some": [1, "a"]} → /missing_some/1: expected a list of paths
        {"missing_some": [1, [true]]} → /missing_some/1: expected a list of paths
        {"missing_some": [2, ["a"]]} → /missing_some/0: more than the list's number of paths
        {"+": ["one", 1]} → /+/0: expected a number
        {"+": [null]} → /+/0: expected a number
        {"+": [true, 1]} → /+/0: expected a number
        {"+": [{"var": "a"}, "x1"]} → /+/1: expected a number
        {"*": [2, "x"]} → /*/1: expected a number
        {"-": ["1x", 1]} → /-/0: expected a number
        {"-": "one"} → /-: expected a number
        {"/": [{"var": "a"}, "x"]} → /~1/1: expected a number
        {"/": [{"var": "a"}, 0]} → /~1/1: divides by zero
        {"/": [1, "0"]} → /~1/1: divides by zero
        {"/": [1, null]} → /~1/1: divides by zero
        {"%": [{"var": "a"}, 0]} → /%/1: divides by zero
        {"%": [{"var": "a"}, ["x"]]} → /%/1: expected a number
        {"max": [1, "x"]} → /max/1: expected a number
        {"min": [[1, 2]]} → /min/0: expected a number
        {"max": [{"var": "a"}, "Infinite"]} → /max/1: expected a number
        {"map": ["abc", {"var": ""}]} → /map/0: expected a list
        {"map": [{"var": "l"}, {"nope": 1}]} → /map/1/nope: no such operation
        {"filter": [1, {"var": ""}]} → /filter/0: expected a list
        {"reduce": [true, {"var": "current"}, 0]} → /reduce/0: expected a list
        {"all": ["abc", true]} → /all/0: expected a list
        {"none": [null, true]} → /none/0: expected a list
        {"some": [{"var": "l"}, {"==": [{"var": ""}]}]} → /some/1/==: takes 2 operands, not 1
        {"in": [1, 1]} → /in/1: expected a list or a text
        {"in": ["a", null]} → /in/1: expected a list or a text
        {"in": ["a", true]} → /in/1: expected a list or a text
        {"substr": ["text", "1"]} → /substr/1: expected an integer
        {"substr": ["text", 1.5]} → /substr/1: expected an integer
        {"substr": ["text", 0, "2"]} → /substr/2: expected an integer
        {"substr": ["text", null]} → /substr/1: expected an integer
        {"sem_ver": [{"var": "v"}, "=>", "1.0.0"]} → /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~
        {"sem_ver": [{"var": "v"}, "==", "1.0.0"]} → /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~
        {"sem_ver": [{"var": "v"}, "", "1.0.0"]} → /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~
        {"sem_ver": [{"var": "v"}, 1, "1.0.0"]} → /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~
        {"sem_ver": [{"var": "v"}, null, "1.0.0"]} → /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~
        {"sem_ver": [{"var": "v"}, ">=", ""]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0.0.0"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "01.0.0"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.00"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0.0-"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0.0-a..b"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0.0-01"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0-rc"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.0.0+"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "1.x"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", "latest"]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", true]} → /sem_ver/2: expected a semantic version
        {"sem_ver": [{"var": "v"}, ">=", -1]} → /sem_ver/2: expected a semantic version
        {"sem_ver": ["new", ">=", "1.0.0"]} → /sem_ver/0: expected a semantic version
        {"sem_ver": ["new", "=>", "old"]} → /sem_ver/0: expected a semantic version; /sem_ver/1: expected one of =, !=, <, <=, >, >=, ^, ~; /sem_ver/2: expected a semantic version
        {"starts_with": [{"var": "a"}, 1]} → /starts_with/1: expected a text
        {"starts_with": [null, "a"]} → /starts_with/0: expected a text
        {"ends_with": [{"var": "a"}, ["a"]]} → /ends_with/1: expected a text
        {"ends_with": [true, false]} → /ends_with/0: expected a text; /ends_with/1: expected a text
        {"segment": "gamma"} → /segment: no such segment
        {"segment": "Beta"} → /segment: no such segment
        {"segment": ""} → /segment: no such segment
        {"segment": 1} → /segment: expected a segment's name
        {"segment": null} → /segment: expected a segment's name
        {"segment": {"var": "name"}} → /segment: expected a segment's name
        {"segment": [["beta"]]} → /segment/0: expected a segment's name
        {"rollout": -1} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": 100.001} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": 101} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": 0.0001} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": 33.33333} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": "10"} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": "10 %"} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": true} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": null} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": {"var": "percent"}} → /rollout: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": [10, {"var": "email"}]} → /rollout/1: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": ["seed", 10]} → /rollout/0: a constant puts all users into one bucket
        {"rollout": [null, 10]} → /rollout/0: a constant puts all users into one bucket
        {"rollout": [{"var": "email"}, 1e3]} → /rollout/1: expected a percentage, a number from 0 to 100 with at most 3 decimals
        {"rollout": [{"nope": 1}, 10]} → /rollout/0/nope: no such operation
        {"fractional": "email"} → /fractional: expected at least one part, [value, weight]
        {"fractional": {"var": "email"}} → /fractional: expected at least one part, [value, weight]
        {"fractional": [{"var": "email"}]} → /fractional: expected at least one part, [value, weight]
        {"fractional": ["a", "b"]} → /fractional/1: expected a part, [value, weight]
        {"fractional": ["email", 50]} → /fractional/1: expected a part, [value, weight]
        {"fractional": [["a", 1], "b"]} → /fractional/1: expected a part, [value, weight]
        {"fractional": [["a", 1], null]} → /fractional/1: expected a part, [value, weight]
        {"fractional": [[]]} → /fractional/0: expected a part, [value, weight]
        {"fractional": [["a", 1, 2]]} → /fractional/0: expected a part, [value, weight]
        {"fractional": [["a", 1], [{"var": "x"}, 1, 2]]} → /fractional/1: expected a part, [value, weight]
        {"fractional": [["a", "1"]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [["a", 1.5]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [["a", true]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [["a", [1]]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [[["a"], 1]]} → /fractional/0/0: expected a text, a number, a boolean or null
        {"fractional": [["a", 2147483648]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [["a", 2147483647], ["b", 1]]} → /fractional: the weights add up to more than 2147483647
        {"fractional": [["a", 0]]} → /fractional: no weight is above 0
        {"fractional": [["a", 0], ["b", -5]]} → /fractional: no weight is above 0
        {"fractional": [[{"var": "x"}, 0]]} → /fractional: no weight is above 0
        {"fractional": [[{"var": "x"}, "1"], ["b", 1]]} → /fractional/0/1: a weight is not an integer of at most 2147483647
        {"fractional": [["a", {"nope": 1}], ["b", 1]]} → /fractional/0/1/nope: no such operation
        {"==": [1e400, {"var": "a"}]} → /==/0: out of range
        {"in": [{"var": "a"}, [1, -1e999]]} → /in/1: out of range
        {"and": [true, {"or": [false, {"nope": 1}]}]} → /and/1/or/1/nope: no such operation
        {"if": [{"nope": 1}, {"!=": [1]}, {"var": true}]} → /if/0/nope: no such operation; /if/1/!=: takes 2 operands, not 1; /if/2/var: expected a path, a text
        {"!": {"!": {"!": {"a": 1, "b": 2}}}} → /!/!/!: expected one operation, an object with one member
        {"cat": ["a", {"substr": ["b", {"==": []}]}]} → /cat/1/substr/1/==: takes 2 operands, not 0
        {"in": [{"var": "a"}, [1, {"nope": 2}]]} → /in/1/1/nope: no such operation
        {"merge": [[1, [{"x": 1}]]]} → /merge/0/1/0/x: no such operation
        """#
}
