/// Checks whether authors of earlier changes still have the permission for them.
///
/// A schedule and an approval take effect later. Their author may have lost the permission since.
package struct AuthorStanding: Sendable {
    /// A permission that a change takes effect with.
    package enum Permission: Sendable {
        /// To put, publish and schedule.
        case write
        /// To approve.
        case approve
    }

    /// The state of an author's permission.
    package enum Verdict: Sendable, Equatable {
        case valid
        /// The permission ended; a phrase with the reason, such as `its token was revoked`.
        case ended(String)
        /// Only another server may know the author; the text is the reason.
        case unknown(String)
    }

    /// A function of an author's number, their client certificate if they used one, and the
    /// permission.
    package typealias Judge =
        @Sendable (_ author: String, AuthorCertificate?, Permission) async throws -> Verdict

    private let judge: Judge

    /// Creates it from a function.
    package init(_ judge: @escaping Judge) { self.judge = judge }

    /// Every author has every permission: for a store without a server.
    package static let unchecked = AuthorStanding { _, _, _ in .valid }

    /// Returns the state of an author's permission.
    ///
    /// - Throws: ``BehaviorStoreError/unavailable(_:)`` if it can't be read now.
    func verdict(
        on author: String,
        _ certificate: AuthorCertificate?,
        _ permission: Permission
    ) async throws(BehaviorStoreError) -> Verdict {
        // The holder of a folder of files needs no token.
        if author == Author.editor.id { return .valid }
        do {
            return try await judge(author, certificate, permission)
        } catch {
            throw .unavailable("the authors' tokens can't be read: \(error)")
        }
    }
}
