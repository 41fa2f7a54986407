import HTTPTypes
import JSONCodec
import Plug

extension Problem {
    /// What the one who asked is told of an error that an action's implementation threw.
    ///
    /// An error that doesn't say what may be told of it is a `500` without a detail: the detail
    /// goes to the log. JSON errors are such errors, since what the implementation read was not the
    /// request.
    package init(performing error: any Error) {
        switch error {
        case let error as any ProblemConvertible:
            self = error.problem
        case let error as NotPlugged:
            self = .serviceUnavailable("\(error.action) has no plug")
        case let error as NotImplemented:
            self.init(status: .notImplemented, detail: "\(error.action) is not implemented")
        case is CancellationError:
            // Either this server is going away, or the one who asked is, who then won't read this.
            self = .serviceUnavailable()
        default:
            self = .internalServerError()
        }
    }

    /// What the one who asked is told of an error, one of reading the request included.
    package init(for error: any Error) {
        switch error {
        case let error as JSONError:
            self = Problem(
                status: .badRequest,
                detail: error.description,
                errors: [FieldError(pointer: error.pointer, detail: error.message)]
            )
        case let error as JSONTypeError:
            self = Problem(invalid: JSONTypeErrors([error]))
        case let error as JSONTypeErrors:
            self = Problem(invalid: error)
        default:
            self.init(performing: error)
        }
    }

    /// What the one who asked is told of an input that can be read and isn't what its type asks for:
    /// a `422` that names each member, or a `400` where only the path's values are none.
    package init(invalid errors: JSONTypeErrors, pathNames: [String] = []) {
        let inPath = Set(pathNames.map { "/" + JSONPointer.escaped($0) })
        let isPathOnly = errors.all.allSatisfy { inPath.contains($0.pointer) }
        self.init(
            status: isPathOnly ? .badRequest : .unprocessableContent,
            detail: errors.description,
            errors: errors.all.map { FieldError(pointer: $0.pointer, detail: $0.message) }
        )
    }
}

extension MalformedTarget: ProblemConvertible {
    /// A `400 Bad Request`.
    package var problem: Problem { .badRequest(description) }
}
