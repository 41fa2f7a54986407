import System
import CLinux
import Glibc
import Locking

/// A queue of log lines, written to a descriptor by its own thread, so that logging never waits for
/// a slow reader.
///
/// Lines beyond the limit are dropped and counted.
package final class LogSink: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isWriting = false
        var dropped = 0
        /// The number of lines dropped since the last report.
        var unreportedDrops = 0
    }

    private let descriptor: CInt
    private let limit: Int
    private let wake: FileDescriptor
    private let state = Locked(State())

    /// The number of lines dropped so far.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Creates a sink for a descriptor with at most `limit` waiting bytes.
    package init(_ descriptor: CInt, limit: Int = 1024 * 1024) throws {
        self.descriptor = descriptor
        self.limit = limit
        wake = FileDescriptor(eventfd(0, CInt(EFD_CLOEXEC)))
        guard wake.raw >= 0 else { throw SystemError("eventfd") }
        try Thread.start { [weak self, wake, descriptor] in
            while true {
                var count: eventfd_t = 0
                guard eventfd_read(wake.raw, &count) == 0 || errno == EINTR else { return }
                while let bytes = self?.take() {
                    // A failed write has no reader left, so the lines are lost.
                    _ = Descriptors.write(bytes, to: descriptor)
                }
                guard self != nil else { return }
            }
        }
    }

    deinit { eventfd_write(wake.raw, 1) }

    /// Adds a line, including its line feed.
    package func write(_ line: [UInt8]) {
        let wakes = state.withLock { state in
            guard state.bytes.count + line.count <= limit else {
                state.dropped += 1
                state.unreportedDrops += 1
                return false
            }
            state.bytes += line
            return state.bytes.count == line.count && !state.isWriting
        }
        if wakes { eventfd_write(wake.raw, 1) }
    }

    /// Waits until all lines are written; returns false at the timeout.
    @discardableResult
    package func flush(milliseconds: Int = 1000) -> Bool {
        for _ in 0...milliseconds {
            if state.withLock({ $0.bytes.isEmpty && !$0.isWriting }) { return true }
            usleep(1000)
        }
        return false
    }

    /// Removes and returns the waiting bytes; nil if there are none.
    private func take() -> [UInt8]? {
        state.withLock { state in
            var bytes: [UInt8] = []
            swap(&bytes, &state.bytes)
            if state.unreportedDrops > 0 {
                bytes += #"{"level":"warning","message":"log lines were dropped","count":"#.utf8
                bytes += "\(state.unreportedDrops)}\n".utf8
                state.unreportedDrops = 0
            }
            state.isWriting = !bytes.isEmpty
            return bytes.isEmpty ? nil : bytes
        }
    }
}
