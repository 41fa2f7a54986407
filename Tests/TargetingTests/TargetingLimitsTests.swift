import JSONCodec
import Testing

@testable import Targeting

@Suite("Rules that can't be evaluated")
struct TargetingLimitsTests {
    private func outcome(
        _ rule: String,
        _ context: String = "{}"
    ) throws -> TargetingRule.Outcome {
        try TargetingRule(JSON(parsing: rule.utf8))
            .evaluate(TargetingContext(JSON(parsing: context.utf8)))
    }

    @Test(
        "a failed operation is null, as in flagd, and its location is reported",
        arguments: [
            (#"{"sem_ver": [{"var": "v"}, "=", "1.0.0"]}"#, "/sem_ver", Failure.notAVersion),
            (#"{"sem_ver": [{"var": "t"}, "=", "1.0.0"]}"#, "/sem_ver", .notAVersion),
            (#"{"sem_ver": ["1", {"var": "v"}, "1.0.0"]}"#, "/sem_ver", .notAnOperator),
            (#"{"sem_ver": ["1", {"cat": ["=", "="]}, "1"]}"#, "/sem_ver", .notAnOperator),
            (
                #"{"or": [false, {"sem_ver": ["1", "=", {"var": "t"}]}]}"#, "/or/1/sem_ver",
                .notATargetVersion
            ),
            (#"{"starts_with": [{"var": "n"}, "1"]}"#, "/starts_with", .notATextFirst),
            (#"{"starts_with": ["a", {"var": "n"}]}"#, "/starts_with", .notATextSecond),
            (#"{"ends_with": [{"var": "v"}, "1"]}"#, "/ends_with", .notATextFirst),
            (#"{"ends_with": ["a", {"var": "b"}]}"#, "/ends_with", .notATextSecond),
            (#"{"rollout": [{"var": "n"}, 100]}"#, "/rollout", .notATextFirst),
            (#"{"rollout": [{"var": "b"}, 100]}"#, "/rollout", .notATextFirst),
            (#"{"fractional": [{"var": "n"}, ["a", 1]]}"#, "/fractional", .notADistribution),
            (#"{"fractional": ["k", ["a", 1], {"var": "n"}]}"#, "/fractional", .notADistribution),
            (#"{"fractional": ["k", ["a", 1], {"merge": []}]}"#, "/fractional", .notADistribution),
            (#"{"fractional": ["k", ["a", {"var": "t"}]]}"#, "/fractional", .notAWeight),
            (
                #"{"fractional": ["k", ["a", {"/": [1, {"var": "n"}]}]]}"#, "/fractional",
                .notAWeight
            ),
            (#"{"fractional": ["k", ["a", {"var": "big"}]]}"#, "/fractional", .notAWeight),
            (
                #"{"fractional": ["k", ["a", {"var": "half"}], ["b", {"var": "half"}]]}"#,
                "/fractional", .weightsTooLarge
            ),
            (#"{"fractional": ["k", ["a", {"-": [0, {"var": "n"}]}]]}"#, "/fractional", .noWeight),
            (#"{"fractional": ["k", [{"var": "l"}, 1]]}"#, "/fractional", .notAPartValue),
            (
                #"{"fractional": ["k", [{"var": "l"}, {"var": "n"}]]}"#, "/fractional",
                .notAPartValue
            ),
        ] as [(String, String, Failure)]
    )
    func failures(_ rule: String, _ pointer: String, _ failure: Failure) throws {
        let outcome = try outcome(
            rule,
            #"{"targetingKey": "u", "t": "text", "n": 7, "b": true, "l": [1], "big": 1e12, "half": 2e9}"#
        )
        #expect(outcome.value == .null)
        #expect(!outcome.isTrue)
        #expect(outcome.problem == JSONTypeError(pointer: pointer, message: failure.rawValue))
    }

    @Test("evaluation continues after a failed operation")
    func goesOn() throws {
        let outcome = try outcome(
            #"{"if": [{"sem_ver": [{"var": "v"}, ">", "1"]}, "new", {"==": [1, 1]}, "old"]}"#
        )
        #expect(outcome.value == "old")
        #expect(outcome.problem?.pointer == "/if/0/sem_ver")
    }

    @Test("without a targeting key a roll-out is false, without a failure")
    func anonymous() throws {
        for context in ["{}", #"{"targetingKey": null}"#, #"{"targetingKey": ""}"#] {
            for rule in [#"{"rollout": 100}"#, #"{"rollout": [{"var": "email"}, 100]}"#] {
                let outcome = try outcome(rule, context)
                #expect(outcome.value == false)
                #expect(outcome.problem == nil)
            }
            let split = try outcome(#"{"fractional": [["a", 1]]}"#, context)
            #expect(split.value == .null)
            #expect(split.problem == nil)
        }
    }

    /// A list of that many ones.
    private func ones(_ count: Int) -> String {
        "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
    }

    @Test("a rule that takes too many steps is stopped and null")
    func steps() throws {
        let list = ones(200)
        let slow = #"{"!": {"some": [\#(list), {"some": [\#(list), {"==": [{"var": ""}, 2]}]}]}}"#
        let outcome = try outcome(slow)
        #expect(outcome.value == .null)
        #expect(outcome.problem == JSONTypeError(pointer: "", message: Stop.tooManySteps.rawValue))
    }

    @Test(
        "texts, lists and nesting that grow without limit are stopped",
        arguments: [
            (
                #"{"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}"#, #""ab""#,
                Stop.textTooLong
            ),
            (#"{"merge": [{"var": "accumulator"}, {"var": "accumulator"}]}"#, "[1]", .listTooLong),
            (#"[{"var": "accumulator"}]"#, "1", .tooDeep),
            (#"[{"var": "accumulator"}, {"var": "accumulator"}]"#, "1", .tooDeep),
            (#"{"var": ""}"#, "1", .tooDeep),
        ] as [(String, String, Stop)]
    )
    func growth(_ body: String, _ start: String, _ stop: Stop) throws {
        let outcome = try outcome(#"{"reduce": [\#(ones(100)), \#(body), \#(start)]}"#)
        #expect(outcome.value == .null)
        #expect(outcome.problem?.message == stop.rawValue)
    }

    @Test("a value that contains itself many times has a text and a JSON of limited size")
    func doubling() throws {
        let doubled =
            #"{"reduce": [\#(ones(40)), [{"var": "accumulator"}, {"var": "accumulator"}], 1]}"#
        let value = try outcome(doubled)
        #expect(value.problem == nil)
        #expect(value.value.encoded().count < 10_000)
        // A text of it would be longer than 64 KiB, and takes more steps than there are.
        for rule in [#"{"==": [\#(doubled), "x"]}"#, #"{"cat": [\#(doubled)]}"#] {
            let text = try outcome(rule)
            #expect(text.problem?.message == Stop.tooManySteps.rawValue)
        }
    }

    @Test("a substring search takes steps")
    func search() throws {
        let part = String(repeating: "a", count: 2_000) + "b"
        let context = #"{"text": "\#(String(repeating: "a", count: 16_000))"}"#
        let outcome = try outcome(#"{"in": ["\#(part)", {"var": "text"}]}"#, context)
        #expect(outcome.problem?.message == Stop.tooManySteps.rawValue)
    }

    /// How many rules alike are evaluated before a document's steps are taken.
    private func count(
        _ rule: (Int) -> String,
        of all: Int = 20_000,
        _ context: TargetingContext
    ) throws -> Int {
        var evaluator = Evaluator(SharedProgram(Program(), keys: [""]), context)
        for place in 0..<all {
            let rule = try JSON(parsing: rule(place).utf8)
            var compiler = RuleCompiler(segments: [:], at: "")
            let root = compiler.compile(rule, at: "").root
            #expect(compiler.problems.isEmpty)
            var other = Evaluator(SharedProgram(compiler.program, keys: ["key"]), context)
            other.documentSteps = evaluator.documentSteps
            _ = other.value(root, key: .rule(0))
            evaluator.documentSteps = other.documentSteps
            if evaluator.documentSteps == 0 { return place }
        }
        return all
    }

    private func usual() throws -> TargetingContext {
        try TargetingContext(
            targetingKey: "9b2f6f0e-6ad4-4c0b-8f43-d6b6f0a1c2e3",
            properties: ["country": "LV", "version": "2.3.1"]
        )
    }

    @Test("expensive operations take many steps, so that no request blocks an event loop")
    func weights() throws {
        let numbers = JSON.array((0..<240).map { .number(JSON.Number(Double($0) + 0.1) ?? 0) })
        let long = String(repeating: "9", count: 16_000)
        let wide = JSON.Object((0..<240).map { ("name-\(100 + $0)", .string("v")) })
        let listed = try TargetingContext(properties: ["list": numbers])
        let texts = try TargetingContext(properties: ["text": .string(long)])
        // Measured: each would otherwise take 10 to 400 times as long as it may.
        #expect(try count({ #"{"==": [{"var": "list"}, \#($0)]}"# }, listed) < 15)
        #expect(try count({ #"{"in": [{"var": "list"}, "x\#($0)"]}"# }, listed) < 15)
        #expect(try count({ #"{"+": [{"var": "list"}, \#($0)]}"# }, listed) < 15)
        #expect(try count({ #"{"<": [{"var": "text"}, \#($0)]}"# }, texts) < 50)
        #expect(try count({ #"{"substr": [{"var": "text"}, \#($0)]}"# }, texts) < 10)
        #expect(try count({ #"{"missing": [{"var": "text"}, "\#($0)"]}"# }, texts) < 10)
        #expect(
            try count({ _ in #"{"rollout": 10}"# }, TargetingContext(targetingKey: long)) < 110
        )
        let among = try TargetingContext(properties: wide)
        #expect(try count({ #"{"==": [{"var": "name-999"}, \#($0)]}"# }, among) < 1_000)
        let within = try TargetingContext(properties: ["list": .array([.object(wide)])])
        #expect(try count({ #"{"==": [{"var": "list.0.name-999"}, \#($0)]}"# }, within) < 1_000)
        let number = try TargetingContext(properties: ["n": 1.7976931348623157e308])
        #expect(try count({ #"{"%": [{"var": "n"}, \#($0 + 1)]}"# }, number) < 3_500)
        #expect(try count({ #"{"sem_ver": [{"var": "n"}, "<", "\#($0).0.0"]}"# }, number) < 3_000)
        let list = try TargetingContext(properties: ["list": ["1"]])
        #expect(try count({ #"{"<": [{"max": [{"var": "list"}]}, \#($0)]}"# }, list) < 6_000)
        let items = (0..<900).map { "\($0)" }.joined(separator: ",")
        #expect(
            try count({ #"{"==": [{"reduce": [[\#(items)], \#($0), 0]}, -1]}"# }, usual()) < 15
        )
        // And what is usual takes few.
        let usual = try usual()
        #expect(try count({ _ in #"{"rollout": 10}"# }, usual) == 20_000)
        #expect(try count({ #"{"==": [{"var": "country"}, "\#($0)"]}"# }, usual) > 16_000)
        #expect(
            try count({ #"{"sem_ver": [{"var": "version"}, ">=", "2.\#($0).0"]}"# }, usual)
                == 20_000
        )
    }

    @Test("a text is found in a list by its bytes, and long comparisons take steps")
    func among() throws {
        let long = String(repeating: "a", count: 1_000)
        let list = (0..<900).map { #""\#(long)\#(100 + $0)""# }.joined(separator: ",")
        let rule = #"{"in": [{"var": "text"}, [\#(list)]]}"#
        #expect(try outcome(rule, #"{"text": "\#(long)101"}"#).isTrue)
        #expect(try !outcome(rule, #"{"text": "\#(long)1"}"#).isTrue)
        let last = try outcome(rule, #"{"text": "\#(long)99"}"#)
        #expect(last.problem == nil && !last.isTrue)
        let other = try outcome(rule, #"{"text": "\#(long)xyz"}"#)
        #expect(other.problem?.message == Stop.tooManySteps.rawValue)
        #expect(try !outcome(#"{"in": ["e\u0301", ["\u00e9", "e"]]}"#).isTrue)
    }

    @Test("a rule nests at most 64 deep and has at most 1,000 nodes, with its segments")
    func bounds() throws {
        func nested(_ depth: Int, _ inner: String) throws -> JSON {
            let open = String(repeating: #"{"!": "#, count: depth)
            return try JSON(parsing: (open + inner + String(repeating: "}", count: depth)).utf8)
        }
        _ = try TargetingRule(nested(63, "true"))
        let deep = #expect(throws: TargetingError.self) {
            _ = try TargetingRule(nested(64, "true"))
        }
        #expect(deep?.problems.map(\.message) == ["nests deeper than 64"])
        #expect(deep?.problems.first?.pointer == String(repeating: "/!", count: 64))
        _ = try TargetingRule(nested(31, #"{"segment": "s"}"#), segments: ["s": nested(30, "true")])
        let together = #expect(throws: TargetingError.self) {
            _ = try TargetingRule(
                nested(40, #"{"segment": "s"}"#),
                segments: ["s": nested(40, "true")]
            )
        }
        #expect(together?.problems.map(\.message) == ["nests deeper than 64, with its segments"])

        func wide(_ count: Int) throws -> JSON {
            try JSON(parsing: #"{"and": \#(ones(count))}"#.utf8)
        }
        _ = try TargetingRule(wide(999))
        let large = #expect(throws: TargetingError.self) { _ = try TargetingRule(wide(1_000)) }
        #expect(
            large?.problems == [
                JSONTypeError(
                    pointer: "",
                    message: "more than 1,000 operations and operands in a rule"
                )
            ]
        )
        _ = try TargetingRule(JSON(parsing: #"{"in": [{"var": "id"}, \#(ones(5_000))]}"#.utf8))
    }

    @Test("a rule that exceeds the size limit within an operation is rejected for its size")
    func cutOff() throws {
        for operation in [
            #"{"substr": ["a", 1, 2]}"#, #"{"sem_ver": ["1", "=", "1"]}"#, #"{"%": [1, 1]}"#,
            #"{"rollout": [{"var": "a"}, 1]}"#,
            #"{"fractional": [{"var": "a"}, ["b", {"var": "c"}]]}"#,
            #"{"missing_some": [1, [{"var": "a"}]]}"#, #"{"reduce": [[{"var": "a"}], 1, 2]}"#,
            #"{"segment": "s"}"#,
        ] {
            for count in 993...999 {
                let operands = ones(count).dropLast() + "," + operation + "," + operation + "]"
                let rule = try JSON(parsing: (#"{"and": "# + operands + "}").utf8)
                do {
                    _ = try TargetingRule(rule, segments: ["s": true])
                    #expect(count <= 995)
                } catch {
                    let size = JSONTypeError(
                        pointer: "",
                        message: "more than 1,000 operations and operands in a rule"
                    )
                    #expect(error.problems == [size], "\(operation) \(count)")
                }
            }
        }
    }
}
