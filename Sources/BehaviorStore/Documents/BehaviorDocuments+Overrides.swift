package import JSONCodec

extension BehaviorDocuments {
    /// Returns an environment's overrides of a document; nil if there are none.
    package func overrides(of key: DocumentKey) async throws -> BehaviorOverrides? {
        try await keptOverrides(of: key).map(BehaviorOverrides.init(text:))
    }

    /// Returns the overrides' stored text.
    func keptOverrides(of key: DocumentKey) async throws -> String? {
        try await backend.records(.override, environment: key.environment, name: key.name)
            .first?.value
    }

    /// Sets the JSON Patch that is applied to a document whenever it is promoted into an
    /// environment.
    ///
    /// Live revisions and drafts don't change. The document need not exist yet, and with `mayCreate`
    /// neither the environment.
    /// - Throws: ``BehaviorStoreError`` if the patch is invalid.
    package func override(
        _ key: DocumentKey,
        with patch: JSON,
        mayCreate: Bool = true,
        by author: Author
    ) async throws -> BehaviorOverrides {
        try BehaviorOverrides.check(patch, at: "/patch")
        return try await change(by: author) { [self] pending in
            if !mayCreate { try await checkExists(key.environment, canCreate: true) }
            let before = try await overrides(of: key)
            if let before, before.patch == patch { return before }
            if before == nil { try await checkRoomForOverrides() }
            let overrides = BehaviorOverrides(
                patch: patch,
                by: author.id,
                name: author.name,
                at: pending.now
            )
            // Overrides alone don't make an environment exist.
            if try await !environments().contains(where: { $0.name == key.environment }) {
                try await declare(key.environment, in: &pending)
            }
            try note(before, overrides, of: key, &pending)
            return overrides
        }
    }

    /// Removes an environment's overrides of a document; returns false if there were none.
    package func removeOverrides(of key: DocumentKey, by author: Author) async throws -> Bool {
        try await change(by: author) { [self] pending in
            guard let before = try await overrides(of: key) else { return false }
            try note(before, nil, of: key, &pending)
            return true
        }
    }

    private func note(
        _ before: BehaviorOverrides?,
        _ after: BehaviorOverrides?,
        of key: DocumentKey,
        _ pending: inout PendingChange
    ) throws {
        try pending.note(
            .override,
            environment: key.environment,
            name: key.name,
            from: try before.map { try JSON(encoding: $0) },
            to: try after.map { try JSON(encoding: $0) }
        )
    }

    private func checkRoomForOverrides() async throws {
        guard try await backend.recordCount(.override) < StoreLimits.maximumDocumentCount else {
            throw BehaviorStoreError.conflict(
                "a store has overrides of \(StoreLimits.maximumDocumentCount) documents at most"
            )
        }
    }

    /// Returns the origins of a document's promoted revisions, by number.
    func origins(of key: DocumentKey) async throws -> [Int: RevisionOrigin] {
        let records = try await backend.records(
            .origin,
            environment: key.environment,
            name: key.name
        )
        return records.reduce(into: [:]) { origins, record in
            guard let number = Int(record.key.item) else { return }
            origins[number] = try? JSON.decode(RevisionOrigin.self, from: record.value.utf8)
        }
    }
}
