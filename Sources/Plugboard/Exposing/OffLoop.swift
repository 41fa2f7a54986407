import HTTPSyntax
import JSONCodec
import HTTPServer

/// The size from which bytes are processed on another thread.
enum OffLoop {
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
            .later { await Self.transformed(response, transform) }
        case .now(let response): .now(transform(response))
        case .later(let work):
            .later {
                let response = await work()
                guard response.isLarge else { return transform(response) }
                return await Self.transformed(response, transform)
            }
        }
    }

    /// The work for the response is done, so a full queue doesn't reject it.
    private static func transformed(
        _ response: Response,
        _ transform: @escaping @Sendable (consuming Response) -> Response
    ) async -> Response {
        do {
            return try await WorkQueue.computing.run { transform(response) }
        } catch is CancellationError {
            // The client has gone: nobody reads the response.
            return response
        } catch {
            return transform(response)
        }
    }
}

extension Response {
    /// Whether its body is in memory, and so large that processing it would delay the loop.
    var isLarge: Bool {
        guard case .bytes(let bytes) = body else { return false }
        return bytes.count > OffLoop.bytes
    }
}

extension InputForm {
    /// Decodes a large body on another thread.
    static func decodeLarge(
        _ body: HeldBody,
        _ text: [TextMember],
        _ decode: @escaping Decode
    ) async throws -> Input {
        try await WorkQueue.computing.run {
            do {
                return try body.bytes.withUnsafeBufferPointer {
                    try decode($0, text, ReusableTape())
                }
            } catch {
                throw Problem(for: error)
            }
        }
    }
}
