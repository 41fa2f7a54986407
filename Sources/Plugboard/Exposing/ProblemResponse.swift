import AdministrationStore
import BehaviorStore
import HTTPSyntax
import HTTPServer
import HTTPTypes
import JSONCodec
import Logging
import PlugHTTP
import PostgreSQL
import Storage
import TraceContext
import Tracing

/// An error with a response of its own, such as a 429 with `Retry-After`.
protocol RespondingError: Error {
    var response: Response { get }
}

/// Error responses: problem details (RFC 9457).
enum ProblemResponse {
    /// Makes the response for an error of an action.
    ///
    /// The client gets only the error's public part. The log and the request's span get the whole
    /// error.
    static func make(
        _ error: any Error,
        performing action: String,
        _ logger: Logger
    ) -> Response {
        if error is WorkQueue.Full { return WorkQueue.busy }
        if let error = error as? any RespondingError { return error.response }
        let problem = Problem(performing: error)
        if problem.status.code >= 500, !(error is CancellationError) {
            let context = ServiceContext.current
            context?.request?.span?.recordMaskedError(error)
            logger.error(
                "\(action) failed: \(TokenMask.masked("\(error)"))",
                metadata: context?.logMetadata
            )
        }
        // The server reconnects to a lost store by itself, so a retry may succeed soon.
        let isLost =
            error is StorageError || error is AdministrationError
            || (error is BehaviorStoreError || error is PostgreSQLError)
                && problem.status == .serviceUnavailable
        return make(problem, fields: isLost ? [("Retry-After", "1")] : [])
    }

    static func make(
        _ status: UInt16,
        _ detail: String?,
        fields: [(name: String, value: String)] = []
    ) -> Response {
        make(Problem(status: .init(code: Int(status)), detail: detail), fields: fields)
    }

    static func make(
        _ problem: Problem,
        fields: [(name: String, value: String)] = []
    ) -> Response {
        let type: (name: String, value: String) = ("Content-Type", Problem.mediaType)
        var problem = problem
        // A client may log it.
        problem.detail = problem.detail.map(TokenMask.masked)
        let body = (try? JSON.encode(problem)) ?? []
        return Response(
            status: UInt16(problem.status.code),
            fields: ResponseFields([type] + fields),
            body: .bytes(body)
        )
    }
}
