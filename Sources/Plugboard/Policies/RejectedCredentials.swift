package import AdministrationStore
import HTTPServer
import HTTPSyntax
package import JSONCodec
import Locking
import System

/// Counts rejected tokens, and records them in the administration's audit once a minute.
///
/// A row for each would let anybody fill the disk. The address is that of the first one.
package final class RejectedCredentials: Sendable {
    /// The interval of rows.
    private static let interval = Duration.seconds(60)
    /// The time for the last row after a cancellation: a database may not respond.
    private static let stopTimeout = Duration.seconds(2)

    private struct State {
        var count = 0
        /// The address of the first rejection; nil on a Unix domain socket.
        var address: IPAddress?
    }

    private let state = Locked(State())

    package init() {}

    /// Counts a rejection.
    func note(_ peer: Peer) { note(from: peer.address) }

    /// Counts a rejection of a client at an address; nil on a Unix domain socket.
    func note(from address: IPAddress?) {
        state.withLock { state in
            state.count += 1
            if state.count == 1 { state.address = address }
        }
    }

    /// Records the rejections once a minute, and the last ones when the task is cancelled.
    ///
    /// A store without tokens gets none of these rows.
    func record(into backend: any AdministrationBackend, told: @Sendable (String) -> Void) async {
        var isOver = false
        while !isOver {
            do { try await Task.sleep(for: Self.interval) } catch { isOver = true }
            let taken = state.withLock { state in
                defer { state = State() }
                return state
            }
            guard taken.count > 0 else { continue }
            let address = taken.address?.description ?? "a Unix domain socket"
            told("\(taken.count) tokens were rejected within a minute, the first from \(address)")
            // A cancelled task can't write.
            let recorded = await Task<Void, any Error>.detached {
                guard try await backend.hasRows() else { return }
                try await backend.record(
                    AdministrationEntry(
                        .rejectCredentials,
                        to: [
                            "count": .number(JSON.Number(taken.count)), "first": .string(address),
                        ],
                        by: .server
                    )
                )
            }.result(afterCancellation: Self.stopTimeout)
            switch recorded {
            case .success: break
            case .failure(let error): told("the rejected tokens aren't in the audit: \(error)")
            case nil: told("the rejected tokens aren't in the audit: the store didn't respond")
            }
        }
    }
}

extension AdministrationEntry {
    /// Makes the row of a change with a JSON value as its result.
    package init(_ change: AdministrationChange, to after: JSON, by author: AdministrationAuthor) {
        self.init(change, to: String(decoding: after.encoded(), as: UTF8.self), by: author)
    }
}
