import PhotoContracts
import HTTPTypes
@testable import Photos
import PlugHTTP
import Testing

@Suite("The photos' actions, on each store")
struct PhotoStoreTests {
    @Test("pass all expectations", arguments: Store.allCases, Expectation.table)
    func table(_ store: Store, _ expectation: Expectation) async throws {
        try await store.using(expectation.check)
    }

    @Test("reject a NUL, and one character of 800,000 bytes", arguments: Store.allCases)
    func unboundedText(_ store: Store) async throws {
        try await store.using { photos in
            let heavy = "a" + String(repeating: "\u{301}", count: 400_000)
            #expect(heavy.count == 1)
            for text in [heavy, "a\0b", "\0"] {
                let title = await #expect(throws: Problem.self) {
                    _ = try await photos.post(.init(title: text))
                }
                let user = await #expect(throws: Problem.self) {
                    _ = try await photos.like(.init(id: 42, user: text))
                }
                #expect(title?.status.code == 422)
                #expect(user?.status.code == 422)
            }
        }
    }

    @Test("reject invalid input, and name the member", arguments: Store.allCases)
    func validation(_ store: Store) async throws {
        try await store.using { photos in
            let long = String(repeating: "é", count: 201)
            let refusals: [(String, @Sendable () async throws -> Void)] = [
                ("/title", { _ = try await photos.post(.init(title: "")) }),
                ("/title", { _ = try await photos.post(.init(title: long)) }),
                ("/limit", { _ = try await photos.list(.init(limit: 0)) }),
                ("/limit", { _ = try await photos.list(.init(limit: 101)) }),
                ("/limit", { _ = try await photos.list(.init(limit: -1)) }),
                ("/user", { _ = try await photos.like(.init(id: 42, user: "")) }),
                ("/user", { _ = try await photos.like(.init(id: 42, user: long)) }),
                ("/user", { _ = try await photos.unlike(.init(id: 42, user: "")) }),
            ]
            for (pointer, refused) in refusals {
                let problem = await #expect(throws: Problem.self) { try await refused() }
                #expect(problem?.status.code == 422)
                #expect(problem?.errors?.map(\.pointer) == [pointer])
                #expect(problem?.detail?.hasPrefix("\(pointer): expected 1 to ") == true)
            }
            // The limit is in characters, not in bytes.
            let fits = String(repeating: "é", count: 200)
            #expect(try await photos.post(.init(title: fits)).title == fits)
            let likes = try await photos.like(.init(id: 42))
            #expect(likes.likes == 1)
        }
    }

    @Test("return 404 for unknown photos", arguments: Store.allCases, [0, -1, 2, 999_999])
    func missing(_ store: Store, _ id: Int) async throws {
        try await store.using { photos in
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await photos.get(.init(id: id)) },
                { _ = try await photos.like(.init(id: id)) },
                { _ = try await photos.like(.init(id: id, user: "ada")) },
                { _ = try await photos.unlike(.init(id: id)) },
            ]
            for call in calls {
                let problem = await #expect(throws: Problem.self) { try await call() }
                #expect(problem == .notFound("there is no photo \(id)"))
            }
        }
    }

    @Test("count each of 200 concurrent likes", arguments: Store.allCases)
    func concurrent(_ store: Store) async throws {
        try await store.using { photos in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    let user = number.isMultiple(of: 3) ? nil : "user \(number % 7)"
                    group.addTask { try await photos.like(.init(id: 42, user: user)).likes }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(counts == Set(1...200))
            #expect(try await photos.like(.init(id: 42)).likes == 201)
        }
    }
}

/// A check of the five actions on any new store.
struct Expectation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (Photos) async throws -> Void

    private init(_ name: String, _ check: @escaping @Sendable (Photos) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    static let table = [
        Expectation("a new store holds a few photos, 42 among them") { photos in
            let all = try await photos.list(.init())
            #expect(all.map(\.id) == [1, 7, 42])
            #expect(all.allSatisfy { !$0.title.isEmpty })
            #expect(try await photos.get(.init(id: 42)) == all.last)
        },
        Expectation("a list starts after a photo, and has at most the limit") { photos in
            let first = try await photos.list(.init(limit: 2))
            #expect(first.map(\.id) == [1, 7])
            #expect(try await photos.list(.init(limit: 2, after: 7)).map(\.id) == [42])
            #expect(try await photos.list(.init(after: 42)) == [])
            #expect(try await photos.list(.init(limit: 100, after: -5)).count == 3)
        },
        Expectation("a list has at most 100 photos") { photos in
            for number in 0..<101 { _ = try await photos.post(.init(title: "\(number)")) }
            #expect(try await photos.list(.init()).count == 100)
            #expect(try await photos.list(.init(limit: 100, after: 1)).count == 100)
        },
        Expectation("a posted photo gets the next number, and is stored") { photos in
            let first = try await photos.post(.init(title: "Mir"))
            let second = try await photos.post(.init(title: "'; DROP TABLE photo; --"))
            #expect(first == Photo(id: 43, title: "Mir"))
            #expect(second.id == 44)
            #expect(try await photos.get(.init(id: 44)) == second)
            #expect(try await photos.list(.init(after: 42)) == [first, second])
            #expect(try await photos.like(.init(id: 43)) == Likes(photo: 43, likes: 1))
        },
        Expectation("each like counts for its photo, named and anonymous ones") { photos in
            let first = try await photos.like(.init(id: 42))
            #expect(first == Likes(photo: 42, likes: 1))
            #expect(try await photos.like(.init(id: 42, user: "ada")).likes == 2)
            #expect(try await photos.like(.init(id: 42, user: "ada")).likes == 3)
            #expect(try await photos.like(.init(id: 7)) == Likes(photo: 7, likes: 1))
        },
        Expectation("an unlike removes a like of the same user, down to 0") { photos in
            _ = try await photos.like(.init(id: 42))
            _ = try await photos.like(.init(id: 42, user: "ada"))
            #expect(try await photos.unlike(.init(id: 42, user: "eve")).likes == 2)
            #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 1)
            #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 1)
            #expect(try await photos.unlike(.init(id: 42)) == Likes(photo: 42, likes: 0))
            #expect(try await photos.unlike(.init(id: 42)) == Likes(photo: 42, likes: 0))
            #expect(try await photos.like(.init(id: 42)).likes == 1)
            #expect(try await photos.unlike(.init(id: 7)) == Likes(photo: 7, likes: 0))
        },
        Expectation("user names are case-sensitive") { photos in
            _ = try await photos.like(.init(id: 42, user: "Ada"))
            #expect(try await photos.unlike(.init(id: 42, user: "ada")).likes == 1)
            #expect(try await photos.unlike(.init(id: 42, user: "Ada")).likes == 0)
        },
    ]
}
