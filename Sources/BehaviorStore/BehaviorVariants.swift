import Behaviors
import Locking
import Synchronization
package import Targeting

/// What a document with rules is served as: its variants, each made once and shared by all loops.
package final class BehaviorVariants: Sendable {
    /// The most variants that are kept; a document with eleven rules may have twice as many.
    package static let greatestCount = 1_024
    /// The most bytes that they have together, plain and coded: 64 MiB.
    package static let greatestSize = 64 << 20

    /// The document and its rules.
    package let behavior: TargetedBehavior
    /// What tells the revision from others, the first part of its variants' entity tags.
    package let tag: String
    private let lastModified: Int
    private let greatestSize: Int
    private let kept = Locked(Kept())
    private let isProblemTold = Atomic<Bool>(false)

    private struct Kept {
        var revisions: [BehaviorVariant: BehaviorRevision] = [:]
        var size = 0
    }

    init(
        _ behavior: TargetedBehavior,
        tag: String,
        lastModified: Int,
        greatestSize: Int = BehaviorVariants.greatestSize
    ) {
        self.behavior = behavior
        self.tag = tag
        self.lastModified = lastModified
        self.greatestSize = greatestSize
    }

    /// How many variants are kept.
    package var count: Int { kept.withLock { $0.revisions.count } }

    /// What a variant is served as, if it is kept here.
    package func known(_ variant: BehaviorVariant) -> BehaviorRevision? {
        kept.withLock { $0.revisions[variant] }
    }

    /// What a variant is served as.
    ///
    /// Where as many are kept as may be, it is made afresh each time and not coded: that would take
    /// longer than all else, and whoever wants to can ask for many variants. Nobody else keeps it
    /// either, or there would be no bound.
    package func revision(of variant: BehaviorVariant) -> BehaviorRevision {
        let (known, hasRoom) = kept.withLock { kept in
            (
                kept.revisions[variant],
                kept.revisions.count < Self.greatestCount && kept.size < greatestSize
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
            // Another loop may have been faster: what it has made is shared.
            if let known = kept.revisions[variant] { return known }
            kept.revisions[variant] = made
            kept.size += made.bytes.count + (made.gzip?.count ?? 0)
            return made
        }
    }

    /// Whether this is the first time that somebody asks: a problem with a rule is told once.
    package func takesFirstProblem() -> Bool {
        !isProblemTold.exchange(true, ordering: .relaxed)
    }

    /// A variant in a tag: its bits, or two digests where there are more than 256 of them.
    private static func name(of variant: BehaviorVariant, _ bytes: [UInt8]) -> String {
        let bits = variant.description
        guard variant.wordCount > 4 else { return bits }
        return ContentTag.digest(bits.utf8) + ContentTag.digest(bytes)
    }
}
