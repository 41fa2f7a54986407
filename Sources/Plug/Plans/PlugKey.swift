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

    /// The place of a key among all, from 0 up to 1: the same in every process, and for each action
    /// another, so that not always the same users get what is new.
    static func place(of key: String, action: String) -> Double {
        // FNV-1a, which is simple and leaves the upper bits poor; MurmurHash3's finish mixes them.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        action.utf8.forEach(add)
        add(0)
        key.utf8.forEach(add)
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Double(hash >> 11) / Double(1 << 53 as UInt64)
    }
}
