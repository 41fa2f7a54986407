#if canImport(Darwin)
import HTTPSyntax
import Foundation
public import HTTPTypes

/// The transport on Apple's platforms: `URLSession`, with its proxies, certificates and HTTP/2.
///
/// It follows no redirects and stores no cookies and no cached responses. So a request reaches
/// exactly its URL's server, as with ``SocketTransport``.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let maximumResponse: Int
    private let timeout: Int64

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    /// - timeout: The timeout of a whole exchange, in whole seconds up to a year. It is sent as
    ///   `Request-Timeout`, unless the request has that field.
    /// - maximumResponse: The maximum size of a response's body, in bytes.
    public init(timeout: Duration = .seconds(30), maximumResponse: Int = 16 << 20) {
        let configuration = URLSessionConfiguration.ephemeral
        self.timeout = max(1, Timeout.clamped(timeout).components.seconds)
        configuration.timeoutIntervalForResource = Double(self.timeout)
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(
            configuration: configuration,
            delegate: NoRedirects(),
            delegateQueue: nil
        )
        self.maximumResponse = maximumResponse
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and returns the complete response.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        let address =
            "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        guard let url = URL(string: address) else {
            throw ClientError(.invalidURL, "\"\(RedactedURL.text(address))\" is not a URL")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method.rawValue
        for field in request.headerFields {
            message.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if !request.headerFields.haveTimeout {
            message.addValue("\(timeout)", forHTTPHeaderField: "Request-Timeout")
        }
        if !body.isEmpty || request.method.announcesBody {
            message.httpBody = Data(body)
        }
        return try await response(to: message)
    }

    private func response(to message: URLRequest) async throws -> (HTTPResponse, [UInt8]) {
        do {
            let (data, answer) = try await session.data(for: message)
            guard let answer = answer as? HTTPURLResponse, (100...999).contains(answer.statusCode)
            else { throw ClientError(.invalidResponse, "The response is not HTTP") }
            guard data.count <= maximumResponse else {
                throw ClientError(.tooLarge, "The response has more than \(maximumResponse) bytes")
            }
            var response = HTTPResponse(status: HTTPResponse.Status(code: answer.statusCode))
            for (name, value) in answer.allHeaderFields {
                guard let name = name as? String, let name = HTTPField.Name(name),
                    let value = value as? String
                else { continue }
                response.headerFields.append(HTTPField(name: name, value: value))
            }
            return (response, [UInt8](data))
        } catch let error as URLError {
            switch error.code {
            case .cancelled: throw CancellationError()
            case .timedOut: throw ClientError(.timedOut, error.localizedDescription)
            case .badURL, .unsupportedURL:
                throw ClientError(.invalidURL, error.localizedDescription)
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData:
                throw ClientError(.invalidResponse, error.localizedDescription)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
                throw ClientError(.untrusted, error.localizedDescription)
            default: throw ClientError(.unreachable, error.localizedDescription)
            }
        }
    }
}

/// Treats a redirect as the response.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
