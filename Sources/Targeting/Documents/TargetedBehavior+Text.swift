public import Behaviors

/// An invalid authored document, with all its problems.
public struct InvalidBehavior: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the text's order, at least one and at most 100.
    public var problems: [BehaviorError]
    /// Whether the text is valid JSON but an invalid document.
    public var isJSON = true

    /// Creates an error from problems.
    public init(problems: [BehaviorError]) { self.problems = problems }

    /// The first problem, and the number of further ones.
    public var description: String {
        let first = problems.first?.description ?? "no behavior"
        return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
    }
}

extension TargetedBehavior {
    /// Parses an authored document, a bare array or an object with segments, and compiles its
    /// rules.
    ///
    /// - Throws: ``InvalidBehavior`` with line, column and JSON Pointer of all problems.
    public init(json bytes: some Sequence<UInt8>) throws(InvalidBehavior) {
        try self.init(json: Array(bytes.prefix(BehaviorDocument.maximumSize + 1)))
    }

    /// Parses an authored document, like ``init(json:)`` for any bytes.
    public init(json bytes: [UInt8]) throws(InvalidBehavior) {
        guard bytes.count <= BehaviorDocument.maximumSize else {
            throw InvalidBehavior(problems: [
                BehaviorError(pointer: "", message: "larger than 1 MiB", line: 1, column: 1)
            ])
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw InvalidBehavior(error)
        }
        var problems: [JSONTypeError] = []
        let authored = AuthoredBehavior(json, problems: &problems)
        do throws(TargetingError) {
            try self.init(
                authored.document,
                segments: authored.segments,
                at: authored.modulesPointer
            )
        } catch {
            throw InvalidBehavior(problems + error.problems, in: bytes)
        }
        // Rules with a valid shape are compiled anyway, so that all problems are reported at once.
        guard problems.isEmpty else { throw InvalidBehavior(problems, in: bytes) }
    }
}

extension InvalidBehavior {
    fileprivate init(_ error: JSONError) {
        self.init(problems: [BehaviorError(error)])
        isJSON = false
    }

    /// Sorts problems in the text's order.
    fileprivate init(_ found: [JSONTypeError], in bytes: [UInt8]) {
        let places = bytes.withUnsafeBytes { JSON.places(of: found.map(\.pointer), in: $0) } ?? []
        let problems = zip(found, places).map { problem, place in
            BehaviorError(
                pointer: problem.pointer,
                message: problem.message,
                line: place.line,
                column: place.column
            )
        }
        // The sort is stable: problems at one place stay in order.
        let sorted = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        self.init(problems: Array(sorted.prefix(TargetingLimits.problemCount)))
    }
}
