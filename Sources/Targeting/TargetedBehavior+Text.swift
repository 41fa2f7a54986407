public import Behaviors

/// An authored document that can't be used: all that is wrong with it.
public struct InvalidBehavior: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, at least one and at most 100.
    public var problems: [BehaviorError]

    /// Creates an error from what is wrong.
    public init(problems: [BehaviorError]) { self.problems = problems }

    /// The first problem, and how many there are beside it.
    public var description: String {
        let first = problems.first?.description ?? "no behavior"
        return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
    }
}

extension TargetedBehavior {
    /// Reads an authored document, a bare array or an object with segments, and compiles its rules.
    ///
    /// - Throws: ``InvalidBehavior`` with line, column and JSON Pointer of all that is wrong.
    public init(json bytes: some Sequence<UInt8>) throws(InvalidBehavior) {
        try self.init(json: Array(bytes.prefix(BehaviorDocument.greatestSize + 1)))
    }

    /// Reads an authored document, as ``init(json:)`` of any bytes does.
    public init(json bytes: [UInt8]) throws(InvalidBehavior) {
        let authored: AuthoredBehavior
        do {
            authored = try AuthoredBehavior(json: bytes)
        } catch let error as BehaviorError {
            throw InvalidBehavior(problems: [error])
        } catch let error as JSONError {
            let (message, line, column) = (error.message, error.line, error.column)
            throw InvalidBehavior(problems: [
                BehaviorError(pointer: "", message: message, line: line, column: column)
            ])
        } catch {
            throw InvalidBehavior(problems: [
                BehaviorError(pointer: "", message: "\(error)", line: 1, column: 1)
            ])
        }
        do throws(TargetingError) {
            try self.init(
                authored.document,
                segments: authored.segments,
                at: authored.modulesPointer
            )
        } catch {
            let pointers = error.problems.map(\.pointer)
            let places = bytes.withUnsafeBytes { JSON.places(of: pointers, in: $0) } ?? []
            throw InvalidBehavior(
                problems: error.problems.enumerated().map { index, problem in
                    BehaviorError(
                        pointer: problem.pointer,
                        message: problem.message,
                        line: index < places.count ? places[index].line : 1,
                        column: index < places.count ? places[index].column : 1
                    )
                }
            )
        }
    }
}
