import Synchronization

/// Who a call is for: what a plan keeps apart, such as the halves of a split.
///
/// A server sets it to the caller's identity where a plan looks at it; other code sets it itself:
/// ```swift
/// try await PlugKey.$current.withValue(user.id) { try await action(LikePhoto.self, like) }
/// ```
public enum PlugKey {
    /// The key of the calls that this task makes; nil where each call is anybody's.
    @TaskLocal public static var current: String?

    private static let wanted = Atomic(false)

    /// Whether any plan ever looked at keys: else there is no need to work one out.
    package static var isWanted: Bool { wanted.load(ordering: .relaxed) }

    static func want() { wanted.store(true, ordering: .relaxed) }
}
