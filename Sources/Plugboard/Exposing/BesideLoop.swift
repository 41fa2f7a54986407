import HTTPSyntax
import JSONCodec
import HTTPServer

/// Runs work that may take more than 1 ms of CPU on another thread, so that the loop serves others.
func besideLoop<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
) async rethrows -> Result {
    try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
}

/// The size from which bytes are processed on another thread.
enum BesideLoop {
    /// The limit in bytes: compressing, hashing or decoding that many takes 0.5 ms.
    static let bytes = 64 * 1024
}

extension Reply {
    /// Applies `transform` to the response.
    ///
    /// It reads each byte, so large bodies run on another thread.
    consuming func mapBytes(
        _ transform: @escaping @Sendable (consuming Response) -> Response
    ) -> Reply {
        // Consumed and rebuilt, which copies nothing.
        switch consume self {
        case .now(let response) where response.isLarge:
            .later { await besideLoop { transform(response) } }
        case .now(let response): .now(transform(response))
        case .later(let work):
            .later {
                let response = await work()
                guard response.isLarge else { return transform(response) }
                return await besideLoop { transform(response) }
            }
        }
    }
}

extension Response {
    /// Whether its body is in memory, and so large that processing it would delay the loop.
    var isLarge: Bool {
        guard case .bytes(let bytes) = body else { return false }
        return bytes.count > BesideLoop.bytes
    }
}

extension InputForm {
    /// Decodes a large body on another thread.
    static func decodeLarge(
        _ body: [UInt8],
        _ text: [TextMember],
        _ decode: @escaping Decode
    ) async throws(Problem) -> Input {
        do {
            return try await besideLoop {
                try body.withUnsafeBufferPointer { try decode($0, text, DecodingRoom()) }
            }
        } catch {
            throw Problem(for: error)
        }
    }
}
