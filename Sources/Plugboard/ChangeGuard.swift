import HTTPSyntax
import HTTPServer
import System

/// Lets changes of a thing pass that know how it is (`If-Match`, RFC 9110 §13.1.1), one by one.
///
/// What it is like is asked of the GET action at the same path. Of several conditional changes of one
/// path this process does one after the other, so that of those who have seen the same only the first
/// passes. A change without a condition, and one of another process, isn't waited for.
final class ChangeGuard: Sendable {
    private let changes = AsyncQueue<[UInt8]>()

    /// Returns the line in which a path's changes wait; `path` is in normal form.
    ///
    /// A type may take a letter in both cases, so both wait in one line. That others wait there, too, does
    /// no harm.
    static func line(of path: ByteSpan) -> [UInt8] { path.map(ByteClass.lowercased) }

    /// Makes a change if what it expects is so; `line` is its path's.
    ///
    /// Where a change `isOfExisting`, what isn't there can't be changed, as with PATCH and DELETE, and not with
    /// PUT: the answer is that it isn't there, and `If-Match` doesn't count (RFC 9110 §13.2.1).
    func change(
        _ line: [UInt8],
        _ condition: EntityTags.Condition,
        isOfExisting: Bool,
        current: Reply,
        _ work: Reply.Work
    ) async -> Response {
        await changes.run(in: line) {
            await changeInTurn(condition, isOfExisting: isOfExisting, current: current, work)
        }
    }

    private func changeInTurn(
        _ condition: EntityTags.Condition,
        isOfExisting: Bool,
        current: Reply,
        _ work: Reply.Work
    ) async -> Response {
        guard !Task.isCancelled else { return ProblemAnswer.make(503, nil) }
        let response: Response
        switch current {
        case .now(let known): response = known
        case .later(let ask): response = await ask()
        }
        let isMissing = response.status == 404 || response.status == 410
        if isMissing, isOfExisting, condition.ifMatch != nil { return response }
        let tag = EntityTags.taggable(response).map(EntityTags.tag)
        if let list = condition.ifMatch {
            // What isn't there has no tag, not even any (RFC 9110 §13.1.1).
            guard let tag, EntityTags.matches(list, tag, strong: true) else {
                return EntityTags.failed
            }
        }
        if let list = condition.ifNoneMatch, let tag,
            EntityTags.matches(list, tag, strong: false)
        {
            return EntityTags.failed
        }
        // Where it can't be found out, nothing is done.
        guard tag != nil || isMissing else {
            return response.status >= 400 ? response : EntityTags.failed
        }
        return await work()
    }
}
