#if canImport(Darwin)
import Foundation
public import HTTPTypes
import PlugHTTP

/// The transport of Apple's platforms: `URLSession`, with its proxies, certificates and HTTP/2.
///
/// Redirects are not followed and cookies and caches not kept: an action's request goes where it
/// says and is answered by who is there, as with ``SocketTransport``.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let greatestResponse: Int
    private let timeout: Int64

    /// A transport with a session of its own.
    ///
    /// - Parameters:
    ///   - timeout: how long a whole exchange may take, in whole seconds; the server is told in
    ///     `Request-Timeout`, unless the request has that field.
    ///   - greatestResponse: how many bytes a response's body may have.
    public init(timeout: Duration = .seconds(30), greatestResponse: Int = 16 << 20) {
        let configuration = URLSessionConfiguration.ephemeral
        self.timeout = max(1, timeout.components.seconds)
        configuration.timeoutIntervalForResource = Double(self.timeout)
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(
            configuration: configuration,
            delegate: NoRedirects(),
            delegateQueue: nil
        )
        self.greatestResponse = greatestResponse
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Sends a request and gives the response once it is whole.
    public func send(
        _ request: HTTPRequest,
        body: [UInt8]
    ) async throws -> (HTTPResponse, [UInt8]) {
        let address =
            "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        guard let url = URL(string: address) else {
            throw ClientError(.invalidURL, "\"\(ShownURL.text(address))\" is no URL")
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
            else { throw ClientError(.invalidResponse, "The answer is no HTTP response") }
            guard data.count <= greatestResponse else {
                throw ClientError(.tooLarge, "The response has more than \(greatestResponse) bytes")
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

/// Takes a redirect as the answer.
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
