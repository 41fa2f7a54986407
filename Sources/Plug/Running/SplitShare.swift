import FNV

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One implementation's share of a split.
struct SplitShare: Sendable {
    private let share: Double
    /// The hash of the action's and the implementation's names, from which a key's hash continues.
    private let seed: FNV1a

    init(_ name: String, of action: String, share: Double) {
        self.share = share
        var seed = FNV1a()
        for name in [action, name] {
            seed.add(name.utf8)
            seed.add(CollectionOfOne(0))
        }
        self.seed = seed
    }

    /// Returns the index of a key's lot.
    ///
    /// It is the same in every process. It differs between actions, so that a new version doesn't
    /// always reach the same users first.
    ///
    /// Each lot draws a score that favors greater shares, and the best score wins (weighted
    /// rendezvous hashing; Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", 2005).
    /// So a lot that grows loses no key to the others, and few keys move when a lot is removed.
    static func choice(_ key: String, _ lots: [SplitShare]) -> Int {
        var best = 0
        var least = Double.infinity
        for index in lots.indices {
            let score = -log(lots[index].draw(key)) / lots[index].share
            if score < least { (best, least) = (index, score) }
        }
        return best
    }

    /// Returns the index of the lot at a position from 0 up to 1 in all shares.
    static func drawn(_ place: Double, _ lots: [SplitShare]) -> Int {
        var index = 0
        var upper = lots.first?.share ?? 0
        while index < lots.count - 1, place * 100 >= upper {
            index += 1
            upper += lots[index].share
        }
        return index
    }

    /// Returns a number above 0 and up to 1 that is always the same for a key.
    func draw(_ key: String) -> Double {
        // MurmurHash3's finalizer mixes the upper bits, which FNV-1a doesn't.
        var keyed = seed
        keyed.add(key.utf8)
        var hash = keyed.value
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Double((hash >> 11) + 1) / Double(1 << 53 as UInt64)
    }
}
