#if canImport(Darwin)
import HTTPSyntax
import Foundation
import HTTPTypes
import Locking

// Unverified: only Apple's systems compile this file. So it has no logic that others could have.

/// The transport on Apple's platforms: `URLSession`, with its proxies, certificates and HTTP/2.
final class URLSessionTransport: Transport {
    private let session: URLSession
    private let receiver = SessionReceiver()
    private let limits: TransportLimits

    init(limits: TransportLimits) {
        self.limits = limits.clamped
        let configuration = URLSessionConfiguration.ephemeral
        let (seconds, attoseconds) = self.limits.timeout.components
        configuration.timeoutIntervalForRequest = Double(seconds) + Double(attoseconds) / 1e18
        configuration.httpMaximumConnectionsPerHost = max(1, limits.maximumConcurrency)
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        let (response, pieces) = try await stream(request, body: .bytes(body))
        return (response, try await pieces.collect(upTo: limits.maximumResponse))
    }

    func stream(
        _ request: HTTPRequest,
        body: TransportBody
    ) async throws -> (HTTPResponse, BodyPieces) {
        let address =
            "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        guard let url = URL(string: address) else {
            throw ClientError(.invalidURL, "\"\(RedactedURL.text(address))\" is not a URL")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method.rawValue
        for field in request.headerFields where field.name != .cookie {
            message.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        // A request has one such field (RFC 6265 §5.4).
        message.setValue(request.headerFields[.cookie], forHTTPHeaderField: "Cookie")
        let bytes = try await body.collect()
        if !bytes.isEmpty || request.method.announcesBody { message.httpBody = Data(bytes) }
        let task = session.dataTask(with: message)
        let (head, pieces) = receiver.register(task)
        let response = try await head.wait {
            task.resume()
        } cancelled: {
            task.cancel()
        }
        return (response, pieces)
    }
}

/// Passes what a session receives to the exchanges that wait for it.
private final class SessionReceiver: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        let head = Handoff<HTTPResponse>()
        let body: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func register(_ task: URLSessionTask) -> (head: Handoff<HTTPResponse>, pieces: BodyPieces) {
        let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        continuation.onTermination = { _ in task.cancel() }
        let exchange = Exchange(body: continuation)
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        return (exchange.head, BodyPieces(stream))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
        if let received = response as? HTTPURLResponse {
            var head = HTTPResponse(status: HTTPResponse.Status(code: received.statusCode))
            for (name, value) in received.allHeaderFields {
                guard let name = (name as? String).flatMap(HTTPField.Name.init),
                    let value = value as? String
                else { continue }
                head.headerFields.append(HTTPField(name: name, value: value))
            }
            exchange?.head.end(.success(head))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        _ = exchanges.withLock { $0[dataTask.taskIdentifier] }?.body.yield([UInt8](data))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        let failure = error.map(Self.clientError)
        exchange?.body.finish(throwing: failure)
        let missing = ClientError(.invalidResponse, "The response is not HTTP")
        exchange?.head.end(.failure(failure ?? missing))
    }

    /// Treats a redirect as the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private static func clientError(_ error: any Error) -> any Error {
        let kind: ClientError.Kind =
            switch (error as? URLError)?.code {
            case .cancelled: return CancellationError()
            case .timedOut: .timedOut
            case .badURL, .unsupportedURL: .invalidURL
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData: .invalidResponse
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
                .untrusted
            default: .unreachable
            }
        return ClientError(kind, error.localizedDescription)
    }
}
#endif
