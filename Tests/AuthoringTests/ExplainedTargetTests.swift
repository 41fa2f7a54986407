import Behaviors
import JSONCodec
import Testing

@testable import Authoring
@testable import Targeting

@Suite("Explanations in sentences")
struct ExplainedTargetTests {
    /// Returns the explanation of a module with this rule.
    private func explain(
        _ rule: String,
        segments: String = "{}",
        user: String? = nil,
        _ context: JSON.Object = [:]
    ) throws -> ExplainedTarget {
        let text =
            #"{"segments":\#(segments),"modules":[{"name":"A","when":\#(rule),"actions":[]}]}"#
        let behavior = try TargetedBehavior(json: text.utf8)
        let targets = ExplainedTarget.all(
            of: behavior,
            for: try TargetingContext(
                targetingKey: user,
                properties: context,
                timestamp: 1_800_000_000
            )
        )
        return try #require(targets.first)
    }

    private func sentences(
        _ rule: String,
        segments: String = "{}",
        user: String? = nil,
        _ context: JSON.Object = [:]
    ) throws -> [String] {
        try explain(rule, segments: segments, user: user, context).sentences
    }

    @Test(
        "a sentence has the rule, its result and the values that it read",
        arguments: [
            (
                #"{"==":[{"var":"country"},"LV"]}"#,
                ["country == \"LV\" is false: country is \"EE\""]
            ),
            (#"{"===":[{"var":"age"},36]}"#, ["age === 36 is true: age is 36"]),
            (#"{"!=":[{"var":"none"},1]}"#, ["none != 1 is true: none is null"]),
            (
                #"{"!==":[{"var":"absent"},null]}"#,
                ["absent !== null is false: the context has no absent"]
            ),
            (#"{"<":[18,{"var":"age"},65]}"#, ["18 < age < 65 is true: age is 36"]),
            (#"{"<=":[{"var":"age"},35]}"#, ["age <= 35 is false: age is 36"]),
            (
                #"{">":[{"var":"age"},{"var":"limit"}]}"#,
                ["age > limit is true: age is 36, the context has no limit"]
            ),
            (
                #"{">=":[{"var":["limit",40]},41]}"#,
                ["limit >= 41 is false: the context has no limit, so 40 is used"]
            ),
            (
                #"{"in":[{"var":"country"},["LV","LT"]]}"#,
                ["country in [\"LV\",\"LT\"] is false: country is \"EE\""]
            ),
            (
                #"{"starts_with":[{"var":"email"},"ada"]}"#,
                ["email starts with \"ada\" is true: email is \"ada@x.com\""]
            ),
            (
                #"{"ends_with":[{"var":"email"},"@y.com"]}"#,
                ["email ends with \"@y.com\" is false: email is \"ada@x.com\""]
            ),
            (
                #"{"ends_with":[{"var":"age"},"6"]}"#,
                ["age ends with \"6\" is null, which counts as false: age is 36"]
            ),
            (
                #"{"sem_ver":[{"var":"version"},">=","2.0.0"]}"#,
                ["version >= 2.0.0 is true: version is \"2.1\""]
            ),
            (
                #"{"sem_ver":[{"var":"country"},"^","2"]}"#,
                ["country ^ 2 is null, which counts as false: country is \"EE\""]
            ),
            (#"{"var":"guest"}"#, ["guest counts as false: the context has no guest"]),
            (#"{"var":"none"}"#, ["none counts as false: none is null"]),
            (#"{"var":"user.plan"}"#, ["user.plan counts as true: user.plan is \"pro\""]),
            (
                #"{"var":{"cat":["user.","plan"]}}"#,
                ["{\"var\":{\"cat\":[\"user.\",\"plan\"]}} counts as true: user.plan is \"pro\""]
            ),
            (
                #"{"missing":["email","phone"]}"#,
                [
                    "{\"missing\":[\"email\",\"phone\"]} is [\"phone\"], which counts as true: email is \"ada@x.com\", the context has no phone"
                ]
            ),
            (
                #"{"missing_some":[1,["email","phone"]]}"#,
                [
                    "{\"missing_some\":[1,[\"email\",\"phone\"]]} is [], which counts as false: email is \"ada@x.com\", the context has no phone"
                ]
            ),
            (
                #"{"%":[{"var":"age"},2]}"#,
                ["{\"%\":[{\"var\":\"age\"},2]} is 0, which counts as false: age is 36"]
            ),
            (
                #"{"==":[{"%":[{"var":"age"},2]},0]}"#,
                ["{\"%\":[{\"var\":\"age\"},2]} == 0 is true: age is 36"]
            ),
            (
                #"{"some":[{"var":"carts"},{">":[{"var":"sum"},99]}]}"#,
                [
                    "{\"some\":[{\"var\":\"carts\"},{\">\":[{\"var\":\"sum\"},99]}]} is true: carts is [{\"sum\":100}]"
                ]
            ),
            (
                #"{"reduce":[{"var":"list"},{"+":[{"var":"current"},{"var":"accumulator"}]},{"var":"age"}]}"#,
                [
                    "{\"reduce\":[{\"var\":\"list\"},{\"+\":[{\"var\":\"current\"},{\"var\":\"accumulator\"}]},{\"var\":\"age\"}]} "
                        + "is 36, which counts as true: the context has no list, age is 36"
                ]
            ),
            (
                #"{"<":[{"var":"$flagd.timestamp"},1]}"#,
                ["$flagd.timestamp < 1 is false: $flagd.timestamp is 1800000000"]
            ),
            ("true", ["the rule is always true"]),
            ("false", ["the rule is always false"]),
        ] as [(String, [String])]
    )
    func operations(_ rule: String, _ expected: [String]) throws {
        let context: JSON.Object = [
            "country": "EE", "age": 36, "none": .null, "email": "ada@x.com", "version": "2.1",
            "user": ["plan": "pro"], "carts": [["sum": 100]],
        ]
        let target = try explain(rule, context)
        #expect(target.sentences == expected)
        // The sentence agrees with the document that the user receives.
        let holds = try TargetingRule(JSON(parsing: rule.utf8)).holds(
            for: TargetingContext(properties: context, timestamp: 1_800_000_000)
        )
        #expect(target.isKept == holds)
    }

    @Test("a roll-out has the bucket and the share, or says which key is missing")
    func rollouts() throws {
        let bucket = Int(Buckets.bucket(of: MurmurHash3.hash("Aada")))
        let percent = ReasonSentences.percent(bucket)
        #expect(
            try sentences(#"{"rollout":0}"#, user: "ada")
                == ["not in the roll-out: bucket \(percent), it takes those below 0 %"]
        )
        #expect(
            try sentences(#"{"rollout":100}"#, user: "ada")
                == ["in the roll-out: bucket \(percent), it takes those below 100 %"]
        )
        #expect(
            try sentences(#"{"rollout":12.5}"#)
                == ["not in the roll-out: the context has no targetingKey"]
        )
        let acme = ReasonSentences.percent(Int(Buckets.bucket(of: MurmurHash3.hash("acme"))))
        let byCompany = #"{"rollout":[{"var":"company"},100]}"#
        #expect(
            try sentences(byCompany, ["company": "acme"]) == [
                "in the roll-out by company: bucket \(acme), it takes those below 100 %; "
                    + "company is \"acme\""
            ]
        )
        #expect(
            try sentences(byCompany) == [
                "not in the roll-out by company: the context has no targetingKey; "
                    + "the context has no company"
            ]
        )
        #expect(
            try sentences(byCompany, ["company": 7])
                == ["not in the roll-out by company: its key is not a text; company is 7"]
        )
    }

    @Test(
        "percentages have at most three decimals",
        arguments: [
            (0, "0 %"), (5, "0.005 %"), (83_700, "83.7 %"), (100_000, "100 %"), (12_340, "12.34 %"),
        ]
    )
    func percentages(_ thousandths: Int, _ text: String) {
        #expect(ReasonSentences.percent(thousandths) == text)
    }

    @Test("a split has its value and the bucket")
    func splits() throws {
        let bucket = ReasonSentences.percent(Int(Buckets.bucket(of: MurmurHash3.hash("Aada"))))
        let rule = #"{"===":[{"fractional":[["red",1],["blue",0]]},"blue"]}"#
        #expect(
            try sentences(rule, user: "ada") == [
                "the split === \"blue\" is false: the split is \"red\"",
                "the split is \"red\": bucket \(bucket)",
            ]
        )
        #expect(
            try sentences(rule) == [
                "the split === \"blue\" is false: the split is null",
                "the split is null: the context has no targetingKey",
            ]
        )
    }

    @Test("every operand of a true 'and' and of a false 'or' is described, else the deciding one")
    func connectives() throws {
        let (a, b) = (#"{"==":[{"var":"a"},1]}"#, #"{"==":[{"var":"b"},1]}"#)
        let (isA, notA) = ("a == 1 is true: a is 1", "a == 1 is false: the context has no a")
        let notB = "b == 1 is false: b is 2"
        let b1 = "b == 1 is true: b is 1"
        #expect(try sentences(#"{"and":[\#(a),\#(b)]}"#, ["a": 1, "b": 1]) == [isA, b1])
        #expect(try sentences(#"{"and":[\#(a),\#(b)]}"#, ["a": 1, "b": 2]) == [notB])
        #expect(try sentences(#"{"or":[\#(a),\#(b)]}"#, ["a": 1, "b": 1]) == [isA])
        #expect(try sentences(#"{"or":[\#(a),\#(b)]}"#, ["b": 2]) == [notA, notB])
        #expect(
            try sentences(#"{"and":[{"or":[\#(a),\#(b)]},{"!":[\#(a)]}]}"#, ["a": 1]) == [
                "negated: \(isA)"
            ]
        )
        #expect(try sentences(#"{"!":{"and":[\#(a),\#(b)]}}"#, ["b": 2]) == ["negated: \(notA)"])
        #expect(try sentences(#"{"!!":[{"var":"a"}]}"#, ["a": 0]) == ["a counts as false: a is 0"])
        #expect(
            try sentences(#"{"and":[\#(a),false]}"#, ["a": 1]) == ["the constant false decides"]
        )
    }

    @Test("a choice has its conditions and the chosen branch")
    func choices() throws {
        let rule = #"{"if":[{"var":"a"},{"var":"b"},{"var":"c"},true,false]}"#
        #expect(
            try sentences(rule, ["a": 1, "b": 0])
                == ["a counts as true: a is 1", "b counts as false: b is 0"]
        )
        #expect(
            try sentences(rule, ["c": .null])
                == ["a counts as false: the context has no a", "c counts as false: c is null"]
        )
        #expect(
            try sentences(#"{"===":[{"if":[{"var":"a"},"on","off"]},"on"]}"#) == [
                "the choice === \"on\" is false: the choice is \"off\"",
                "a counts as false: the context has no a",
            ]
        )
    }

    @Test("a segment is named, with its reasons once")
    func segments() throws {
        let segments =
            #"{"beta":{"or":[{"in":["beta",{"var":"groups"}]},{"segment":"staff"}]},"staff":{"rollout":0}}"#
        let bucket = ReasonSentences.percent(Int(Buckets.bucket(of: MurmurHash3.hash("staffada"))))
        let groups = #""beta" in groups is false: groups is ["alpha"]"#
        #expect(
            try sentences(
                #"{"segment":"beta"}"#,
                segments: segments,
                user: "ada",
                ["groups": ["alpha"]]
            ) == [
                "not in the segment beta: \(groups)",
                "not in the segment beta: not in the segment staff: not in the roll-out: "
                    + "bucket \(bucket), it takes those below 0 %",
            ]
        )
        #expect(
            try sentences(
                #"{"or":[{"segment":"staff"},{"!":{"!":{"segment":"staff"}}}]}"#,
                segments: segments
            ) == [
                "not in the segment staff: not in the roll-out: the context has no targetingKey",
                "negated: negated: not in the segment staff",
            ]
        )
    }

    @Test("the values that a rule read are listed once, missing and null ones among them")
    func reads() throws {
        let target = try explain(
            #"{"or":[{"==":[{"var":"a"},1]},{"==":[{"var":"b"},1]},{"==":[{"var":["a",2]},3]},{"rollout":[{"cat":["x",{"var":"c"}]},0]}]}"#,
            ["b": .null, "c": "y"]
        )
        #expect(
            target.reads == [
                .init(path: "a", value: .null, isMissing: true),
                .init(path: "b", value: .null, isMissing: false),
                .init(path: "c", value: "y", isMissing: false),
            ]
        )
    }

    @Test("actions have their values, and actions of an excluded module say so")
    func actions() throws {
        let text = #"""
            [{"name":"A","when":{"var":"a"},"actions":[{"func":"set","value":"blue"}]},
             {"name":"B","actions":[{"func":"set","value":{"x":1},"when":true},{"func":"run"}]}]
            """#
        let targets = ExplainedTarget.all(
            of: try TargetedBehavior(json: text.utf8),
            for: .empty
        )
        #expect(
            targets.map(\.pointer) == ["/0", "/0/actions/0", "/1", "/1/actions/0", "/1/actions/1"]
        )
        #expect(targets.map(\.value) == [nil, "blue", nil, ["x": 1], nil])
        #expect(
            targets.map(\.sentences) == [
                ["a counts as false: the context has no a"], ["its module is excluded"],
                ["it has no rule"], ["the rule is always true"], ["it has no rule"],
            ]
        )
    }

    @Test("converted flags show their variant's value, and the split that chose it")
    func convertedFlag() throws {
        let flags: JSON = [
            "flags": [
                "color": [
                    "state": "ENABLED", "variants": ["red": "#f00", "blue": "#00f"],
                    "defaultVariant": "red",
                    "targeting": ["fractional": [["red", 0], ["blue", 1]]],
                ]
            ]
        ]
        let document = ImportedBehavior.flagd(flags).document
        let targets = ExplainedTarget.all(
            of: try TargetedBehavior(json: document.json.description.utf8),
            for: try TargetingContext(targetingKey: "ada")
        )
        let bucket = ReasonSentences.percent(Int(Buckets.bucket(of: MurmurHash3.hash("colorada"))))
        let red = try #require(targets.first { $0.value == "#f00" })
        #expect(!red.isKept)
        #expect(red.sentences.first == "the split === \"red\" is false: the split is \"blue\"")
        let blue = try #require(targets.first { $0.value == "#00f" })
        #expect(blue.isKept)
        #expect(
            blue.sentences == [
                "the split === \"blue\" is true: the split is \"blue\"",
                "the split is \"blue\": bucket \(bucket); targetingKey is \"ada\"",
            ]
        )
    }

    @Test("a long rule and a long document are cut, and say so")
    func limits() throws {
        let parts = (0..<100).map { #"{"==":[{"var":"v\#($0)"},1]}"# }.joined(separator: ",")
        let target = try explain(#"{"or":[\#(parts)]}"#)
        #expect(target.sentences.count == 41)
        #expect(target.sentences.last == "further parts of the rule are not shown")
        let reads = (0..<100).map { #"{"var":"v\#($0)"}"# }.joined(separator: ",")
        let sum = try explain(#"{"+":[\#(reads)]}"#)
        #expect(sum.reads.count == TargetingLimits.reasonPartCount)
        #expect(sum.sentences.last == "further parts of the rule are not shown")

        let modules = (0..<3).map { #"{"name":"M\#($0)","when":{"var":"a"},"actions":[]}"# }
        let behavior = try TargetedBehavior(json: "[\(modules.joined(separator: ","))]".utf8)
        let reasons = behavior.explainReasons(.empty, within: 2).map(\.reason?.pointer)
        #expect(reasons == ["/0/when", "/1/when", nil])
    }
}
