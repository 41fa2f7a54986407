import JSONCodec
import Testing

@testable import BehaviorStore

@Suite("Environments of documents", .timeLimit(.minutes(5)))
struct EnvironmentsTests {
    private func names(_ desk: Desk) async throws -> [String] {
        try await desk.documents.environments().map {
            "\($0.name) \($0.rules.approvals) \($0.documents)\($0.isServed ? " served" : "")"
        }
    }

    @Test(
        "an unknown environment is rejected with the nearest one, and nothing is stored",
        arguments: StoreKind.allCases
    )
    func unknown(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        try await desk.put("one")
        let typo = try #require(DocumentKey("default", in: "prodcution"))
        let expected = BehaviorStoreError.noEnvironment(
            "prodcution",
            among: ["production"],
            canCreate: true
        )
        let documents = desk.documents
        let errors = [
            await desk.error {
                try await documents.put(Desk.text("x"), as: typo, mayCreate: false, by: Desk.ada)
            },
            await desk.error {
                try await documents.put(
                    Desk.text("x"),
                    as: typo,
                    isDraft: true,
                    mayCreate: false,
                    by: Desk.ada
                )
            },
            await desk.error {
                try await documents.promote(
                    of: desk.key,
                    to: "prodcution",
                    mayCreate: false,
                    by: Desk.ada
                )
            },
            await desk.error {
                try await documents.override(typo, with: [], mayCreate: false, by: Desk.ada)
            },
            await desk.error {
                try await documents.set(
                    EnvironmentRules(approvals: 1),
                    of: "prodcution",
                    mayCreate: false,
                    by: Desk.ada
                )
            },
        ]
        #expect(errors.allSatisfy { $0 == expected })
        #expect(
            expected.description == "there is no environment prodcution: did you mean production? "
                + "To create it, add --create (create=true)"
        )
        let read = await desk.error { try await documents.revision(nil, of: typo).info.number }
        #expect(read?.description.hasPrefix("there is no environment prodcution: did") == true)
        #expect(try await names(desk) == ["production 0 1 served"])
        #expect(try await documents.backend.head().sequence == 1)
    }

    @Test(
        "an environment exists once something was stored or declared in it",
        arguments: StoreKind.allCases
    )
    func exists(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 2), of: "qa", by: Desk.ada)
        try await documents.set(EnvironmentRules(), of: "dev", by: Desk.ada)
        let laid = try #require(DocumentKey("default", in: "laid"))
        _ = try await documents.override(laid, with: [], by: Desk.ada)
        let draft = try #require(DocumentKey("a", in: "drafts"))
        _ = try await documents.put(Desk.text("x"), as: draft, isDraft: true, by: Desk.ada)
        #expect(
            try await names(desk) == [
                "dev 0 0", "drafts 0 1", "laid 0 0", "production 0 0 served", "qa 2 0",
            ]
        )
        for name in ["qa", "dev", "laid", "drafts"] {
            let key = try #require(DocumentKey("default", in: name))
            _ = try await documents.put(
                Desk.text("x"),
                as: key,
                isDraft: true,
                mayCreate: false,
                by: Desk.ada
            )
        }
        #expect(try await desk.findings() == [])
    }

    @Test("an empty environment is renamed and removed", arguments: StoreKind.allCases)
    func removal(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await documents.set(EnvironmentRules(approvals: 2), of: "stagign", by: Desk.ada)
        let renamed = try await documents.renameEnvironment("stagign", to: "staging", by: Desk.bob)
        #expect(renamed == KnownEnvironment(name: "staging", rules: EnvironmentRules(approvals: 2)))
        #expect(try await names(desk) == ["production 0 0 served", "staging 2 0"])
        try await documents.removeEnvironment("staging", by: Desk.bob)
        #expect(try await names(desk) == ["production 0 0 served"])
        #expect(try await desk.findings() == [])
        let archive = try BehaviorArchive(try await desk.exported())
        #expect(archive.rows.count == 4)
    }

    @Test("a full store renames an environment, and creates none")
    func full() async throws {
        let desk = try Desk(.sqlite)
        try await desk.documents.set(EnvironmentRules(approvals: 2), of: "dev", by: Desk.ada)
        let documents = try desk.documents(
            with: .init(recordCount: { $0 == .rules ? StoreLimits.maximumDocumentCount : nil })
        )
        _ = try await documents.renameEnvironment("dev", to: "test", by: Desk.ada)
        let error = await desk.error {
            try await documents.set(EnvironmentRules(approvals: 2), of: "dev", by: Desk.ada)
            return true
        }
        #expect(error == .conflict("a store has rules of 10000 environments at most"))
        #expect(try await names(desk) == ["production 0 0 served", "test 2 0"])
    }

    @Test(
        "an environment with documents or overrides, or the served one, stays",
        arguments: StoreKind.allCases
    )
    func kept(kind: StoreKind) async throws {
        let desk = try Desk(kind)
        let documents = desk.documents
        try await desk.put("one")
        _ = try await documents.put(Desk.text("x"), as: desk.staging, isDraft: true, by: Desk.ada)
        let laid = try #require(DocumentKey("default", in: "laid"))
        _ = try await documents.override(laid, with: [], by: Desk.ada)
        try await documents.set(EnvironmentRules(), of: "dev", by: Desk.ada)
        let before = try await documents.backend.head()
        for name in ["production", "staging", "laid"] {
            for error in [
                await desk.error {
                    try await documents.removeEnvironment(name, by: Desk.ada)
                    return true
                },
                await desk.error {
                    try await documents.renameEnvironment(name, to: "other", by: Desk.ada)
                },
            ] {
                guard case .conflict? = error else {
                    Issue.record("\(name): \(String(describing: error))")
                    continue
                }
            }
        }
        let taken = await desk.error {
            try await documents.renameEnvironment("dev", to: "staging", by: Desk.ada)
        }
        #expect(taken == .conflict("there is an environment staging already"))
        let invalid = await desk.error {
            try await documents.renameEnvironment("dev", to: "No", by: Desk.ada)
        }
        #expect(invalid == .noName("No"))
        let missing = await desk.error {
            try await documents.removeEnvironment("nowhere", by: Desk.ada)
            return true
        }
        #expect(
            missing?.description
                == "there is no environment nowhere: use one of dev, laid, production, staging."
        )
        #expect(try await documents.backend.head() == before)
        _ = try await documents.removeOverrides(of: laid, by: Desk.ada)
        try await documents.removeEnvironment("laid", by: Desk.ada)
        #expect(try await desk.findings() == [])
    }
}
