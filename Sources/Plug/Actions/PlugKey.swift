import Synchronization

/// The identity that a call is made for.
///
/// Plans use it to separate callers, for example in a split.
///
/// A server sets it to the caller's identity if a plan uses it; other code sets it itself:
/// ```swift
/// try await PlugKey.$current.withValue(user.id) { try await action(LikePhoto.self, like) }
/// ```
public enum PlugKey {
    /// The key of this task's calls; nil if they belong to no particular caller.
    @TaskLocal public static var current: String?

    private static let wanted = Atomic(false)

    /// Whether any plan has used keys; otherwise the server needn't compute them.
    package static var isWanted: Bool { wanted.load(ordering: .relaxed) }

    static func want() { wanted.store(true, ordering: .relaxed) }
}
