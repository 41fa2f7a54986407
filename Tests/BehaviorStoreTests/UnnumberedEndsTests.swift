import BehaviorStore
import JSONCodec
import Testing

/// Stores of the first version, whose rows don't say which schedule is over with them.
@Suite("The ends of schedules in rows of the first version")
struct UnnumberedEndsTests {
    private static let now = 1_000_000

    private func plan(_ schedule: Schedule, _ desk: Desk) async throws -> (RecordKey, String) {
        let records = try await desk.store.keeping()
            .records(.schedule, environment: nil, name: nil)
        let record = try #require(records.first { $0.key.item == String(schedule.id) })
        return (record.key, record.value)
    }

    /// Commits a row as the first version wrote it, with what it stands for.
    private func commit(
        _ change: String,
        _ desk: Desk,
        of schedule: Schedule,
        by author: Author,
        from before: String?,
        to after: String?,
        _ more: (inout BehaviorChange) -> Void = { _ in }
    ) async throws {
        let keeping = try desk.store.keeping()
        let row = AuditRow(
            after: try await keeping.head(),
            at: Self.now,
            author: author,
            change: change,
            environment: desk.key.environment,
            name: desk.key.name,
            from: before,
            to: after
        )
        var made = BehaviorChange(audit: [row])
        made.records = [(try await plan(schedule, desk).0, nil)]
        more(&made)
        #expect(try await keeping.commit(made))
    }

    private func cancel(_ schedule: Schedule, _ desk: Desk) async throws {
        let plan = try await plan(schedule, desk).1
        try await commit("cancel", desk, of: schedule, by: Desk.ada, from: plan, to: nil)
    }

    private func end(_ schedule: Schedule, _ desk: Desk) async throws {
        let plan = try await plan(schedule, desk).1
        try await commit(
            "schedule ended",
            desk,
            of: schedule,
            by: Author(id: "2", name: "bob", address: "schedule"),
            from: plan,
            to: #"{"reason":"was live"}"#
        )
    }

    /// What a schedule's time made: a draft is published, or an earlier revision goes live again.
    private func fire(_ schedule: Schedule, _ desk: Desk, isDraft: Bool) async throws {
        let keeping = try desk.store.keeping()
        let author = Author(id: "2", name: "bob", address: "schedule")
        let state = try #require(try await keeping.document(desk.key))
        let live = try await desk.documents.revision(nil, of: desk.key).info
        var revision = try await desk.documents.revision(schedule.plan.revision, of: desk.key)
        if !isDraft {
            revision.info.number = state.latest + 1
            (revision.info.author, revision.info.authorName) = (author.id, author.name)
            revision.info.message = "Back to revision \(schedule.plan.revision)"
        }
        let info = revision.info
        let message = isDraft ? "" : #","message":"\#(info.message)""#
        let made = revision
        try await commit(
            isDraft ? "publish" : "rollback",
            desk,
            of: schedule,
            by: author,
            from: #"{"revision":\#(live.number),"digest":"\#(live.digest)","live":true}"#,
            to: #"{"revision":\#(info.number),"digest":"\#(info.digest)","live":true\#(message)}"#
        ) { change in
            let latest = max(state.latest, info.number)
            let next = DocumentState(
                key: desk.key,
                latest: latest,
                live: info.number,
                since: Self.now
            )
            change.documents = [next]
            if isDraft {
                change.records.append((RecordKey(.draft, of: desk.key, String(info.number)), nil))
            } else {
                change.revisions = [made]
            }
        }
    }

    /// A store with five schedules, of which 4 and 5 have the same plan.
    private func desk(_ kind: StoreKind) async throws -> (desk: Desk, schedules: [Schedule]) {
        let desk = try Desk(kind)
        try await desk.put("one")
        try await desk.put("two", isDraft: true)
        try await desk.put("three", isDraft: true)
        var schedules: [Schedule] = []
        for (number, time) in [(2, 0), (2, 0), (1, 1), (3, 0), (1, 9_000)] {
            schedules.append(
                try await desk.documents.schedule(
                    number,
                    of: desk.key,
                    at: Self.now + (time > 1 ? time : -time),
                    by: Desk.bob
                )
            )
        }
        #expect(schedules.map(\.id) == [4, 5, 6, 7, 8])
        return (desk, schedules)
    }

    @Test(
        "what was taken back, came to nothing or went live then isn't missing",
        arguments: StoreKind.allCases
    )
    func ends(kind: StoreKind) async throws {
        let (desk, schedules) = try await desk(kind)
        // One of two that are the same: the rows don't say which, and the other one is kept.
        try await cancel(schedules[1], desk)
        #expect(try await desk.findings() == [])
        try await fire(schedules[0], desk, isDraft: true)
        #expect(try await desk.findings() == [])
        try await fire(schedules[2], desk, isDraft: false)
        #expect(try await desk.findings() == [])
        try await end(schedules[3], desk)
        #expect(try await desk.findings() == [])
        let left = try await desk.documents.schedules(of: desk.key)
        #expect(left.map(\.id) == [8])
        // It goes on with rows that say which.
        _ = try await desk.documents.schedule(1, of: desk.key, at: Self.now, by: Desk.bob)
        #expect(try await desk.documents.cancel(8, of: desk.key, by: Desk.ada))
        #expect(try await desk.findings() == [])
        let other = try Desk(kind)
        try await other.documents.load(BehaviorArchive(desk.exported()), by: Desk.ada)
        #expect(try await other.findings() == [])
    }

    @Test(
        "a schedule that no such row can be of is missing when it is gone",
        arguments: StoreKind.databases
    )
    func missing(kind: StoreKind) async throws {
        func gone(
            _ item: Int,
            _ change: (Desk, [Schedule]) async throws -> Void
        ) async throws -> [String] {
            let (desk, schedules) = try await desk(kind)
            try await change(desk, schedules)
            #expect(try await desk.findings() == [])
            try await desk.store.tamper(
                "DELETE FROM behaviorRecord WHERE kind = 'schedule' AND item = '\(item)'"
            )
            return try await desk.findings()
        }
        func missing(_ id: Int) -> [String] {
            ["schedule \(id) of default in production is missing"]
        }
        // Of two that are the same the row is of one.
        let same = try await gone(4) { try await cancel($1[1], $0) }
        #expect(same == missing(5))
        // Another revision's, and one whose time hadn't come.
        let other = try await gone(7) { try await fire($1[0], $0, isDraft: true) }
        #expect(other == missing(7))
        let later = try await gone(8) { try await fire($1[2], $0, isDraft: false) }
        #expect(later == missing(8))
        // One that was made after the row.
        let after = try await gone(10) { desk, schedules in
            try await cancel(schedules[4], desk)
            _ = try await desk.documents.schedule(
                1,
                of: desk.key,
                at: Self.now + 9_000,
                by: Desk.bob
            )
        }
        #expect(after == missing(10))
    }

    @Test(
        "one that was over and is kept again is found, and a row that was edited",
        arguments: StoreKind.databases
    )
    func kept(kind: StoreKind) async throws {
        let (desk, schedules) = try await desk(kind)
        let (key, text) = try await plan(schedules[3], desk)
        try await end(schedules[3], desk)
        try await desk.store.tamper(
            """
            INSERT INTO behaviorRecord VALUES ('schedule', '\(key.environment)', '\(key.name)',
                '\(key.item)', '\(text)')
            """
        )
        #expect(
            try await desk.findings() == ["no row tells of schedule 7 of default in production"]
        )
        let (edited, others) = try await self.desk(kind)
        try await end(others[3], edited)
        try await edited.store.tamper(
            "UPDATE behaviorAudit SET before = replace(before, '3', '2') WHERE sequence = 9"
        )
        let found = try await edited.findings()
        #expect(found.contains("row 9 was edited: its hash isn't that of what it says"))
    }

    @Test("thousands are told apart; so many that it would take hours are taken for missing")
    func many() async throws {
        let count = 2_000
        func findings(_ ends: some Sequence<Int>) async throws -> [String] {
            let desk = try Desk(.sqlite)
            try await desk.put("one")
            var head = try await desk.store.keeping().head()
            var change = BehaviorChange(audit: [])
            func note(_ what: String, from before: String?, to after: String?) {
                let row = AuditRow(
                    after: head,
                    at: Self.now,
                    author: Desk.ada,
                    change: what,
                    environment: desk.key.environment,
                    name: desk.key.name,
                    from: before,
                    to: after
                )
                head = AuditHead(row)
                change.audit.append(row)
            }
            func plan(_ place: Int) -> String {
                #"{"revision":1,"at":\#(2_000_000 + place),"by":"1","name":"ada"}"#
            }
            for place in 0..<count { note("schedule", from: nil, to: plan(place)) }
            for place in ends { note("cancel", from: plan(place), to: nil) }
            let isKept = try await desk.store.keeping().commit(change)
            #expect(isKept)
            return try await desk.findings()
        }
        let inOrder = try await findings(0..<count)
        #expect(inOrder == [])
        let backwards = try await findings((0..<count).reversed())
        #expect(backwards.count == AuditCheck.greatestCount)
        #expect(backwards.allSatisfy { $0.hasSuffix("is missing") }, "\(backwards.prefix(3))")
    }
}
