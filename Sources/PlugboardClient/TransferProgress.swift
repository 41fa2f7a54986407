public import PlugHTTP
import Locking

/// The progress of an upload or a download.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public let completed: Int
    /// The number of all bytes; nil if it is unknown.
    public let total: Int?
}

extension RequestBody {
    /// Returns a body that reports its progress as the transport sends it.
    ///
    /// ```swift
    /// let body = RequestBody(bytes: jpeg, mediaType: "image/jpeg").reportingProgress { progress in
    ///     show(progress.completed, of: progress.total)
    /// }
    /// ```
    public func reportingProgress(
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) -> RequestBody {
        let pieces = bytes.map(Self.pieces) ?? self
        let sent = Locked(0)
        return RequestBody(mediaType: mediaType) { [total = bytes?.count] in
            var iterator = pieces.makeAsyncIterator()
            guard let piece = try await iterator.next() else { return nil }
            report(TransferProgress(completed: sent.adding(piece.count), total: total))
            return piece
        }
    }

    /// Splits a body in memory, so that its progress has steps.
    private static func pieces(_ bytes: [UInt8]) -> RequestBody {
        let rest = Locked(bytes[...])
        return RequestBody {
            rest.withLock { rest in
                let piece = rest.prefix(64 << 10)
                rest = rest.dropFirst(piece.count)
                return piece.isEmpty ? nil : Array(piece)
            }
        }
    }
}

extension ResponseBody {
    /// Returns a body that reports its progress as the caller reads it.
    public func reportingProgress(
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) -> ResponseBody {
        let received = Locked(0)
        let reader = SingleReader(self)
        var body = ResponseBody(mediaType: mediaType) { [length] in
            guard let piece = try await reader.next() else { return nil }
            report(TransferProgress(completed: received.adding(piece.count), total: length))
            return piece
        }
        body.length = length
        return body
    }
}

extension Locked<Int> {
    /// Adds to the number and returns the sum.
    fileprivate func adding(_ count: Int) -> Int {
        withLock { number in
            number += count
            return number
        }
    }
}
