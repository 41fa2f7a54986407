import Behaviors
import Locking
import Synchronization
package import Targeting

/// The variants of a document with rules, each made once and shared by all loops.
package final class BehaviorVariants: Sendable {
    /// The most variants in the cache; a document with eleven rules may have twice as many.
    package static let maximumCount = 1_024
    /// The most bytes of the cached variants together, plain and coded: 64 MiB.
    package static let maximumSize = 64 << 20

    /// The document and its rules.
    package let behavior: TargetedBehavior
    /// Identifies the revision: the first part of its variants' entity tags.
    package let tag: String
    private let lastModified: Int
    private let maximumSize: Int
    private let kept = Locked(Kept())
    private let isProblemLogged = Atomic<Bool>(false)

    private struct Kept {
        var revisions: [BehaviorVariant: BehaviorRevision] = [:]
        var size = 0
    }

    init(
        _ behavior: TargetedBehavior,
        tag: String,
        lastModified: Int,
        maximumSize: Int = BehaviorVariants.maximumSize
    ) {
        self.behavior = behavior
        self.tag = tag
        self.lastModified = lastModified
        self.maximumSize = maximumSize
    }

    /// The number of cached variants.
    package var count: Int { kept.withLock { $0.revisions.count } }

    /// Returns a variant's revision if it is cached.
    package func known(_ variant: BehaviorVariant) -> BehaviorRevision? {
        kept.withLock { $0.revisions[variant] }
    }

    /// Returns a variant's revision.
    ///
    /// If the cache is full, the revision is made for each call and not compressed. Compression
    /// takes longer than everything else, and any client can request many variants. Callers don't
    /// store such a revision, or memory would have no limit.
    package func revision(of variant: BehaviorVariant) -> BehaviorRevision {
        let (known, hasRoom) = kept.withLock { kept in
            (
                kept.revisions[variant],
                kept.revisions.count < Self.maximumCount && kept.size < maximumSize
            )
        }
        if let known { return known }
        let bytes = behavior.behavior(of: variant).encoded()
        let made = BehaviorRevision(
            bytes: bytes,
            etag: "\"\(tag).\(Self.name(of: variant, bytes))\"",
            lastModified: lastModified,
            isCoded: hasRoom
        )
        guard hasRoom else { return made }
        return kept.withLock { kept in
            // Another loop may have been faster; its revision is shared.
            if let known = kept.revisions[variant] { return known }
            kept.revisions[variant] = made
            kept.size += made.bytes.count + (made.gzip?.count ?? 0)
            return made
        }
    }

    /// Returns true on the first call only, so that a problem with a rule is logged once.
    package func takesFirstProblem() -> Bool {
        !isProblemLogged.exchange(true, ordering: .relaxed)
    }

    /// A variant's name in a tag: its bits, or two digests if it has more than 256 bits.
    private static func name(of variant: BehaviorVariant, _ bytes: [UInt8]) -> String {
        let bits = variant.description
        guard variant.wordCount > 4 else { return bits }
        return ContentTag.digest(bits.utf8) + ContentTag.digest(bytes)
    }
}
