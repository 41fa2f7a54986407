import HTTPSyntax
import JSONCodec
import HTTPServer

/// Does what may take more than a millisecond of CPU on another thread, while the loop serves others.
func besideLoop<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
) async rethrows -> Result {
    try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
}

/// The sizes from which on bytes are read or made beside the loop.
enum BesideLoop {
    /// To code, digest or decode as many takes half a millisecond.
    static let bytes = 64 * 1024
}

extension Reply {
    /// The reply whose response is `transform`'s of this one's, which looks at each byte of the body.
    consuming func mapBytes(
        _ transform: @escaping @Sendable (consuming Response) -> Response
    ) -> Reply {
        // Taken apart and put together again, which copies nothing.
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
    /// Whether its body is at hand, and has so many bytes that looking at each holds up a loop.
    var isLarge: Bool {
        guard case .bytes(let bytes) = body else { return false }
        return bytes.count > BesideLoop.bytes
    }
}

extension InputForm {
    /// An input of a body that takes long to decode, which is done beside the loop.
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
