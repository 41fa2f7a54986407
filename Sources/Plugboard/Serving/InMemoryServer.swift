import System
import Glibc
import HTTPSyntax
import HTTPServer
package import HTTPTypes
import Identity
import Locking
import Logging
package import PlugHTTP

/// A server without a socket: the parser, responder and middleware of a running one, for requests
/// given as bytes.
package final class InMemoryServer: Sendable {
    /// The state of a loop, which a lock protects here instead of the loop's thread.
    private struct Loop {
        let parser: RequestParser
        let responder: any Responder

        init(_ responder: any Responder, _ limits: HeadLimits) {
            parser = RequestParser(limits: limits)
            self.responder = responder
            responder.attach(LoopCounters())
        }
    }

    private let loop: Locked<Loop>
    private let verifiers: [WebTokenVerifier]
    private let credentials: Access.Credentials?
    private let logger: Logger

    init(
        _ responder: sending any Responder,
        _ limits: HeadLimits,
        verifiers: [WebTokenVerifier],
        credentials: Access.Credentials?,
        logger: Logger
    ) {
        self.verifiers = verifiers
        self.credentials = credentials
        self.logger = logger
        loop = Locked(Loop(responder, limits))
    }

    /// Handles a complete request, and returns the response once its body is complete.
    ///
    /// A request with a `caller` needs no credentials.
    package func answer(
        _ request: [UInt8],
        as caller: Caller? = nil
    ) async throws -> (HTTPResponse, [UInt8]) {
        let (response, body) = try await open(request, as: caller)
        var bytes: [UInt8] = []
        while let piece = try await body() { bytes += piece }
        return (response, bytes)
    }

    /// Handles a complete request, and returns the response with a function that returns the next
    /// piece of its body.
    package func open(
        _ request: [UInt8],
        as caller: Caller? = nil
    ) async throws -> (HTTPResponse, @Sendable () async throws -> [UInt8]?) {
        for verifier in verifiers { try await verifier.begin() }
        return try await TestCaller.$current.withValue(caller) { try await openNow(request) }
    }

    private func openNow(
        _ request: [UInt8]
    ) async throws -> (HTTPResponse, @Sendable () async throws -> [UInt8]?) {
        let response: Response
        let authentication = await authenticate(request)
        switch loop.withLock({ loop in Self.reply(to: request, authentication, loop) }) {
        case .now(let answer): response = answer
        case .later(let work): response = await work()
        }
        // The response to HEAD is GET's without the body (RFC 9110 §9.3.2). It isn't made.
        let isHead = request.starts(with: "HEAD ".utf8)
        let head = ServerResponse(response)
        return (
            HTTPResponse(status: head.status, headerFields: head.fields),
            try Self.pieces(of: isHead ? .none : response.body)
        )
    }

    /// Asks authenticators that may wait, before the responder is locked.
    private func authenticate(_ request: [UInt8]) async -> Authentication? {
        guard let credentials else { return nil }
        let attempts = loop.withLock { loop in
            request.withUnsafeBufferPointer { bytes -> [Authentication.Attempt] in
                guard case .complete = loop.parser.parse(bytes),
                    credentials.isLater(loop.parser.headPlace.pointee)
                else { return [] }
                return credentials.attempts(loop.parser.headPlace.pointee, from: .unknown)
            }
        }
        guard !attempts.isEmpty else { return nil }
        return Authentication(await credentials.resolve(attempts, logger))
    }

    private static func reply(
        to request: [UInt8],
        _ authentication: Authentication?,
        _ loop: Loop
    ) -> Reply {
        request.withUnsafeBufferPointer { bytes in
            switch loop.parser.parse(bytes) {
            case .partial: return .now(ProblemResponse.make(400, "the head is incomplete"))
            case .failed(let error):
                loop.responder.rejected(error, from: .unknown)
                return .now(ProblemResponse.make(error.status, nil))
            case .complete: break
            }
            let place = loop.parser.headPlace
            let body = bytes.slice(place.pointee.length, bytes.count)
            var admitted: (any AdmittedRequest)? = authentication.map { Request.Admitted($0) }
            if !body.isEmpty {
                switch loop.responder.admit(
                    IncomingRequest(place, from: .unknown, admitted: admitted)
                ) {
                case .reject(let rejection): return rejection
                case .collect(let limit, let request), .stream(let limit, let request):
                    if body.count > limit { return .now(ProblemResponse.make(413, nil)) }
                    admitted = request
                }
            }
            let request = IncomingRequest(place, from: .unknown, admitted: admitted)
            return loop.responder.respond(request, body: body)
        }
    }

    private static func pieces(
        of body: Response.Body
    ) throws -> @Sendable () async throws -> [UInt8]? {
        switch body {
        case .none: return { nil }
        case .bytes(let bytes): return piece(bytes)
        case .file(let file):
            guard let bytes = file.descriptor.read(file.range) else {
                throw SystemError("read", code: EIO)
            }
            return piece(bytes)
        case .stream(let stream): return stream.next
        }
    }

    private static func piece(_ bytes: [UInt8]) -> @Sendable () async throws -> [UInt8]? {
        let body = RequestBody(whole: bytes)
        return {
            var iterator = body.makeAsyncIterator()
            return try await iterator.next()
        }
    }
}

extension Server {
    /// Returns the server in memory.
    ///
    /// It runs the checks of a start, but opens only files.
    ///
    /// - Throws: ``StartError`` with all missing or invalid settings.
    package func inMemory() throws -> InMemoryServer {
        let parts = try open(isTest: true)
        _ = parts.readiness.begin()
        return InMemoryServer(
            parts.makeResponder([]),
            configuration.http.head,
            verifiers: parts.verifiers,
            credentials: parts.callers?.credentials,
            logger: logger
        )
    }
}
