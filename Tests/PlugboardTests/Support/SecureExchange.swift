import BlockingThreads
import COpenSSL
import TestCertificates

/// Sends a request over TLS as a client that shows a certificate and asks for none, and reads the
/// answer.
func secureExchange(
    _ request: String,
    port: UInt16,
    as certificate: TestCertificate
) async throws -> Answer {
    try await BlockingThreads.run {
        try Answer(blockingExchange(request, port: port, as: certificate))
    }
}

private func blockingExchange(
    _ request: String,
    port: UInt16,
    as certificate: TestCertificate
) throws -> [UInt8] {
    let connection = BIO_new_connect("127.0.0.1:\(port)")
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw HarnessError("no TLS") }
    defer { SSL_CTX_free(context) }
    certificate.show(by: context)
    let ssl = SSL_new(context)
    defer { SSL_free(ssl) }
    // A socket that blocks: this is a thread of its own.
    SSL_set_bio(ssl, connection, connection)
    guard SSL_connect(ssl) == 1, SSL_write(ssl, request, CInt(request.utf8.count)) > 0 else {
        throw HarnessError("no TLS connection")
    }
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = SSL_read(ssl, &chunk, CInt(chunk.count)), count > 0 {
        received += chunk[..<Int(count)]
    }
    return received
}
