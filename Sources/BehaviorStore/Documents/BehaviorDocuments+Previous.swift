// The ways back: to the file's document before the first revision, and to the previous live revision.

/// A document that a file serves in place of a stored one.
package struct ServedFile: Sendable {
    /// The file's path.
    package var path: String
    /// The document as its author wrote it.
    package var bytes: [UInt8]
}

extension BehaviorDocuments {
    /// Returns the file that serves a document; nil if none does.
    package func servedFile(of key: DocumentKey) -> ServedFile? {
        guard key.name == DocumentKey.defaultName, key.environment == environment,
            let file, let bytes = file.authored
        else { return nil }
        return ServedFile(path: file.path, bytes: bytes)
    }

    /// Adds the file's document as a document's first revision, so that a rollback can reach it.
    ///
    /// A file's later edits would get lost unnoticed beside a stored draft, so a draft as the first
    /// change does the same.
    ///
    /// - Returns: the revision; nil if no file is served in place of the document.
    func addFile(
        of key: DocumentKey,
        in pending: inout PendingChange
    ) throws -> RevisionInfo? {
        guard let file = servedFile(of: key) else { return nil }
        let origin = "Served from \(file.path) before"
        // A path may have any characters and any length.
        let isMessage = (try? DocumentCheck.check(message: origin)) != nil
        return try pending.add(
            NewRevision(
                key,
                file.bytes,
                nil,
                message: isMessage ? origin : "Served from a file before"
            ),
            to: nil,
            live: nil,
            isLive: true,
            as: .publish,
            by: .editor
        )
    }

    /// Returns the number of the revision that was live before the live one.
    ///
    /// - Throws: ``BehaviorStoreError/conflict(_:)`` if there is none, or if the live revision is a
    ///   rollback itself: of two simultaneous rollbacks the second would undo the first.
    func previousLive(of state: DocumentState) async throws -> Int {
        let key = state.key
        guard let live = state.live else { throw BehaviorStoreError.nothingLive(key) }
        let previous = try await previousLive(before: live, of: key)
        guard let previous else {
            throw BehaviorStoreError.conflict(
                "revision \(live) is the first one that was live: there is none to go back to"
            )
        }
        guard let target = try await target(ofRollback: live, of: key) else { return previous }
        var choices = ["\(previous), which was live before it"]
        if let earlier = try await previousLive(before: target, of: key) {
            choices.append("\(earlier), which was live before \(target)")
        }
        throw BehaviorStoreError.conflict(
            "revision \(live) went back to revision \(target) already: name the revision to go back "
                + "to, such as \(choices.joined(separator: ", or "))"
        )
    }

    /// Returns the last revision below a number that was live; nil if there is none.
    private func previousLive(before number: Int, of key: DocumentKey) async throws -> Int? {
        let drafts = Set(
            try await backend.records(.draft, environment: key.environment, name: key.name)
                .map(\.key.item)
        )
        var before = number
        while true {
            let page = try await backend.revisions(
                of: key,
                before: before,
                limit: Self.maximumPage
            )
            guard let last = page.last else { return nil }
            if let found = page.first(where: { !drafts.contains(String($0.number)) }) {
                return found.number
            }
            before = last.number
        }
    }

    /// Returns the revision whose bytes a rollback made live again; nil if it was no rollback.
    private func target(ofRollback number: Int, of key: DocumentKey) async throws -> Int? {
        let item = String(number)
        let basis = try await backend.records(
            .basis,
            environment: key.environment,
            name: key.name
        ).first { $0.key.item == item }?.read(RevisionBasis.init)
        guard let basis, let target = basis.revision,
            try await info(number, of: key)?.digest == basis.digest
        else { return nil }
        return target
    }
}
