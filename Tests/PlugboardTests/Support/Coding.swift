import Gzip
import HTTPSyntax
import Testing

/// Inflates a gzip-coded body.
func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var output = OutputBuffer(capacity: 64)
    try bytes.withUnsafeBufferPointer { bytes in
        try Gzip.inflate(bytes, upTo: 1 << 28, into: &output)
    }
    return Array(output.bytes)
}

/// A body, gzip-coded.
func gzipped(_ bytes: some Sequence<UInt8>) throws -> [UInt8] {
    try #require(Array(bytes).withUnsafeBufferPointer { Gzip.compress($0, .kept) })
}

extension Answer {
    /// The content behind the coding that the answer names.
    var content: String {
        get throws {
            let isCoded = self["Content-Encoding"] == "gzip"
            return String(decoding: isCoded ? try inflated(body) : body, as: UTF8.self)
        }
    }
}

extension Site {
    /// Posts a body that is coded.
    func post(
        _ target: String,
        coding: String = "gzip",
        type: String = "application/json",
        _ body: [UInt8]
    ) async throws -> Answer {
        let head =
            "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: \(type)\r\nContent-Encoding: \(coding)\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return try Answer(await exchange(Array(head.utf8) + body, port: port))
    }
}
