import Testing

/// One row of a table: what is sent, what must come back, and the rule that says so.
struct Case: Sendable, CustomTestStringConvertible {
    /// A complaint about the answers, or `nil`.
    typealias Check = @Sendable (_ answers: [Response]) -> String?

    let name: String
    let rule: String
    /// The resource whose validators `wire` needs.
    var resource: String?
    let wire: @Sendable (Validators) -> Wire
    let expected: Expectation
    /// Which of the final responses answer a HEAD; the first is seen from the request line.
    var heads: Set<Int> = []
    /// How many 1xx responses may come.
    var interims = 0...0
    var check: Check = { _ in nil }

    var testDescription: String { name }

    init(_ name: String, _ rule: String, _ wire: Wire, _ expected: Expectation) {
        self.init(name, rule, expected) { _ in wire }
    }

    init(
        _ name: String,
        _ rule: String,
        _ expected: Expectation,
        on resource: String? = nil,
        wire: @escaping @Sendable (Validators) -> Wire
    ) {
        self.name = name
        self.rule = rule
        self.resource = resource
        self.wire = wire
        self.expected = expected
    }

    func heads(_ indexes: Int...) -> Case {
        var copy = self
        copy.heads = Set(indexes)
        return copy
    }

    func interims(_ range: ClosedRange<Int>) -> Case {
        var copy = self
        copy.interims = range
        return copy
    }

    func checking(_ check: @escaping Check) -> Case {
        var copy = self
        copy.check = check
        return copy
    }

    /// Runs the row against the server under test and records each complaint as an issue.
    func run() throws {
        let port = try TargetServer.port.get()
        var validators = Validators()
        if let resource { validators = try Validators(of: resource, port: port) }
        let wire = wire(validators)
        let seen = try Exchange.observe(
            wire,
            port: port,
            heads: heads,
            awaiting: expected.fewestAnswers
        )
        let complaints = seen.complaints(for: self)
        guard !complaints.isEmpty else { return }
        Issue.record(
            """
            \(name) (\(rule))
            expected: \(expected)
            \(complaints.map { "but:      " + $0 }.joined(separator: "\n"))
            \(seen.transcript)
            """
        )
    }
}

/// Rows that share a rule and an expectation: name, then what is sent.
func rows(
    _ rule: String,
    _ expected: Expectation,
    _ table: KeyValuePairs<String, Wire>,
    check: @escaping Case.Check = { _ in nil }
) -> [Case] {
    table.map { name, wire in Case(name, rule, wire, expected).checking(check) }
}

/// Rows that need what the server says of a resource: its entity tag and its date.
func rows(
    _ rule: String,
    _ expected: Expectation,
    on resource: String,
    _ table: KeyValuePairs<String, @Sendable (Validators) -> Wire>,
    check: @escaping Case.Check = { _ in nil }
) -> [Case] {
    table.map { name, wire in
        Case("\(name) [\(resource)]", rule, expected, on: resource, wire: wire).checking(check)
    }
}

/// A resource's validators, read from the server just before the case.
struct Validators: Sendable {
    /// As sent, quotes included: `"abc"`.
    var etag = ""
    var lastModified = HTTPDate(seconds: 0)

    init() {}

    init(of resource: String, port: UInt16) throws {
        let seen = try Exchange.observe(get(resource), port: port, heads: [], awaiting: 1)
        guard let answer = seen.answers.first, answer.status == 200, let etag = answer["ETag"],
            let date = answer["Last-Modified"].flatMap(HTTPDate.init(imf:))
        else {
            throw HarnessError(
                "GET \(resource) has to be a 200 with ETag and Last-Modified\n\(seen.transcript)"
            )
        }
        self.etag = etag
        self.lastModified = date
    }

    /// The tag of a weak validator with the same opaque part.
    var weak: String { etag.hasPrefix("W/") ? etag : "W/" + etag }
}

struct HarnessError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
