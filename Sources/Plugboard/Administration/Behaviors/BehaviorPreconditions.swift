package import BehaviorStore
import Behaviors
import HTTPSyntax
import JSONCodec
import JSONPatch
import Plug
package import PlugHTTP

extension ExpectedRevision {
    /// Creates the precondition from `If-Match` and `If-None-Match` (RFC 9110 §13.1).
    ///
    /// The live revision's tag is its number.
    ///
    /// - Throws: a `400` for an invalid field.
    init(_ ifMatch: String?, _ ifNoneMatch: String?) throws(Problem) {
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): self = .any
        case (let list?, nil): self = try Self(ifMatch: list)
        case (nil, let list?): self = try Self(ifNoneMatch: list)
        case (let list?, let others?):
            self = .both(try Self(ifMatch: list), try Self(ifNoneMatch: others))
        }
    }

    private init(ifMatch list: String) throws(Problem) {
        // If-Match uses strong comparison, which a weak tag never matches (RFC 9110 §8.8.3.2).
        self = list == "*" ? .something : .oneOf(try Self.numbers(list, "If-Match", weak: false))
    }

    private init(ifNoneMatch list: String) throws(Problem) {
        self = list == "*" ? .nothing : .noneOf(try Self.numbers(list, "If-None-Match", weak: true))
    }

    /// Returns the revision numbers in a list of tags and ignores other tags.
    private static func numbers(
        _ list: String,
        _ field: String,
        weak takesWeak: Bool
    ) throws(Problem) -> [Int] {
        var numbers: [Int] = []
        var isList = true
        Array(list.utf8).withUnsafeBufferPointer { list in
            list.forEachEntityTag { tag, isWeak in
                isList = tag.count >= 2 && tag[0] == 0x22 && tag[tag.count - 1] == 0x22
                guard isList else { return false }
                let text = tag.slice(1, tag.count - 1).text
                if takesWeak || !isWeak, let number = Int(text), String(number) == text {
                    numbers.append(number)
                }
                return true
            }
        }
        guard isList else {
            throw .badRequest("\(field) must be the tag of a revision in quotes, such as \"3\"")
        }
        return numbers
    }
}

extension BehaviorStoreError: ProblemConvertible {
    /// The response for this error.
    package var problem: Problem {
        switch self {
        case .noName(let name): return .unprocessableContent("\(name) is not a valid name")
        case .noEnvironment: return .notFound(description)
        case .noDocument(let key): return .notFound("there is no document \(key)")
        case .noRevision(let number, let key):
            return .notFound("there is no revision \(number) of \(key)")
        case .nothingLive(let key): return .notFound("no revision of \(key) is live")
        case .changedSince(let live):
            let state = live.map { "revision \($0) is live" } ?? "no revision is live"
            var problem = Problem.preconditionFailed(
                "the document is not at the expected revision: \(state)"
            )
            if let live { problem.members["live"] = .number(JSON.Number(live)) }
            return problem
        case .noJSON(let error):
            var problem = Problem.badRequest(description)
            problem.errors = [Problem.FieldError(pointer: error.pointer, detail: error.message)]
            return problem
        case .invalid(let problems): return Problem(invalid: JSONTypeErrors(problems))
        case .patch(let error): return Problem(patching: error)
        case .conflict(let reason): return .conflict(reason)
        case .unfitting(_, let error):
            var problem = Problem(patching: error)
            problem.detail = description
            return problem
        case .forbidden(let reason): return .forbidden(reason)
        case .tooMuch(let reason): return .contentTooLarge(reason)
        case .quota(let reason): return .unprocessableContent(reason)
        case .unavailable:
            return .serviceUnavailable(
                "the document store is unavailable: see the server's log"
            )
        case .busy: return .serviceUnavailable("too many concurrent changes; try again")
        }
    }
}

extension Problem {
    /// The response for a patch that is invalid or can't be applied (RFC 5789 §2.2).
    fileprivate init(patching error: PatchError) {
        switch error.kind {
        case .malformed: self = .badRequest(error.description)
        case .conflict: self = .conflict(error.description)
        case .tooLarge: self = .unprocessableContent(error.description)
        }
        errors = [FieldError(pointer: error.pointer, detail: error.message)]
        if let operation = error.operation {
            members["operation"] = .number(JSON.Number(operation))
        }
    }
}
