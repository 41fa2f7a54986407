import HTTPTransport
import HTTPTypes
import JSONCodec
import PlugHTTP
import PlugboardClient
import Targeting
import Behaviors

/// The meaning of a response to a document's request.
enum DocumentResponse: Sendable {
    /// The stored document of this context is the newest.
    case unchanged
    /// Another document, which is valid.
    case document([UInt8], tag: String?)

    /// A request without a usable response.
    struct Failure: Error {
        let error: any Error
        /// The server's time for the next request, at most a day.
        var retryAfter: Duration?
    }

    /// Interprets a response; `tag` is the request's entity tag.
    ///
    /// - Throws: the reason why the response is unusable.
    init(_ response: HTTPResponse, _ body: [UInt8], sentTag tag: String?) throws(Failure) {
        switch response.status.code {
        case 200:
            // A document with invalid rules or of the wrong shape never replaces a valid one.
            do throws(InvalidBehavior) {
                _ = try TargetedBehavior(json: body)
            } catch {
                throw Failure(error: error)
            }
            self = .document(body, tag: response.headerFields[.eTag])
        case 304:
            guard tag != nil else {
                throw Failure(
                    error: ClientError(
                        .invalidResponse,
                        "The response is 304, but the request had no If-None-Match"
                    )
                )
            }
            self = .unchanged
        case 400...599:
            throw Failure(error: Self.problem(response, body), retryAfter: Self.delay(response))
        default:
            throw Failure(
                error: ClientError(
                    .invalidResponse,
                    "The response has status \(response.status.code), which is neither a document "
                        + "nor a problem"
                )
            )
        }
    }

    private static func problem(_ response: HTTPResponse, _ body: [UInt8]) -> Problem {
        guard let type = response.headerFields[.contentType], type.hasPrefix(Problem.mediaType),
            var problem = try? JSON.decode(Problem.self, from: body)
        else { return Problem(status: response.status) }
        problem.status = response.status
        return problem
    }

    /// Returns the server's wait, in seconds or until a date (RFC 9110 §10.2.3), at most a day.
    private static func delay(_ response: HTTPResponse) -> Duration? {
        response.retryAfter(at: PlatformFiles.now).map { min($0, .seconds(86_400)) }
    }
}
