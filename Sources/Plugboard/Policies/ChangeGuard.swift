import HTTPSyntax
import HTTPServer
import System

/// Runs conditional changes (`If-Match`, RFC 9110 §13.1.1) of one path in sequence.
///
/// The current state comes from the GET action at the same path. Of several changes with the same
/// tag only the first succeeds. Unconditional changes and those of other processes aren't
/// serialized.
final class ChangeGuard: Sendable {
    private let changes = AsyncQueue<[UInt8]>()

    /// Returns the queue key of a path; `path` is in normal form.
    ///
    /// Some parameter types ignore case, so the key is in lower case. Paths that share a key only
    /// wait longer than needed.
    static func line(of path: ByteSpan) -> [UInt8] { path.map(ByteClass.lowercased) }

    /// Runs a change if its conditions are met; `line` is its path's queue key.
    ///
    /// A change that `isOfExisting` (PATCH, DELETE) needs an existing resource. Without one the
    /// response is its 404 or 410, and `If-Match` is ignored (RFC 9110 §13.2.1).
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
        guard !Task.isCancelled else { return ProblemResponse.make(503, nil) }
        let response: Response
        switch current {
        case .now(let known): response = known
        case .later(let ask): response = await ask()
        }
        let isMissing = response.status == 404 || response.status == 410
        if isMissing, isOfExisting, condition.ifMatch != nil { return response }
        let tag = EntityTags.taggable(response).map(EntityTags.tag)
        if let list = condition.ifMatch {
            // A missing resource has no tag, so `*` doesn't match either (RFC 9110 §13.1.1).
            guard let tag, EntityTags.matches(list, tag, strong: true) else {
                return EntityTags.failed
            }
        }
        if let list = condition.ifNoneMatch, let tag,
            EntityTags.matches(list, tag, strong: false)
        {
            return EntityTags.failed
        }
        // The current state is unknown: the change isn't made.
        guard tag != nil || isMissing else {
            return response.status >= 400 ? response : EntityTags.failed
        }
        return await work()
    }
}
