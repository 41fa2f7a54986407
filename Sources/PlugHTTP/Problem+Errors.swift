import HTTPTypes
import JSONCodec
import Plug

extension Problem {
    /// Creates the response to an error of an action's implementation.
    ///
    /// An error that declares no ``Problem`` becomes a `500` without a detail, which is only
    /// logged. That includes JSON errors, since the implementation read some other document than
    /// the request.
    package init(performing error: any Error) {
        switch error {
        case let error as any ProblemConvertible:
            self = error.problem
        case let error as NotPlugged:
            self = .serviceUnavailable("\(error.action) has no plug")
        case let error as NotImplemented:
            self.init(status: .notImplemented, detail: "\(error.action) is not implemented")
        case is CancellationError:
            // Either the server is stopping, or the client is gone and won't read this.
            self = .serviceUnavailable()
        default:
            self = .internalServerError()
        }
    }

    /// Creates the response to an error, including an error in reading the request.
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

    /// Creates the response to an input that can be parsed but doesn't match its type.
    ///
    /// It is a `422` that names each member, or a `400` if only values in the path are wrong.
    package init(invalid errors: JSONTypeErrors, pathNames: [String] = []) {
        let inPath = Set(pathNames.map { "/" + JSONPointer.escaped($0) })
        let isPathOnly = !errors.hasUnknown && errors.all.allSatisfy { inPath.contains($0.pointer) }
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
