import CPostgreSQL

/// A cancel request, which blocks its thread.
///
/// `@unchecked Sendable` is safe: it moves from one thread to another, which alone uses it.
final class CancelRequest: @unchecked Sendable {
    private let library: PostgreSQLLibrary
    private let cancel: OpaquePointer

    init(library: PostgreSQLLibrary, cancel: OpaquePointer) {
        self.library = library
        self.cancel = cancel
    }

    deinit { library.functions.PQfreeCancel(cancel) }

    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        _ = library.functions.PQcancel(cancel, &reason, CInt(reason.count))
    }
}
