import BehaviorStore
import HTTPSyntax
import HTTPServer
import HTTPTypes
import JSONCodec
import Logging
import PlugHTTP
import Storage
import Tracing

/// Answers that say what is wrong: problem details (RFC 9457).
enum ProblemAnswer {
    /// What failed within an action: the client is told what the error lets it know, the log all,
    /// with the request that it belongs to, and the request's span.
    static func make(
        _ error: any Error,
        performing action: String,
        _ logger: Logger
    ) -> Response {
        let problem = Problem(performing: error)
        if problem.status.code >= 500, !(error is CancellationError) {
            let context = ServiceContext.current
            context?.request?.span?.recordError(error)
            logger.error("\(action) failed: \(error)", metadata: context?.logMetadata)
        }
        // A store that is lost is looked for by itself, and may be there again in a moment.
        let isLost =
            error is StorageError
            || error is BehaviorStoreError && problem.status == .serviceUnavailable
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
        let body = (try? JSON.encode(problem)) ?? []
        return Response(
            status: UInt16(problem.status.code),
            fields: ResponseFields([type] + fields),
            body: .bytes(body)
        )
    }
}
