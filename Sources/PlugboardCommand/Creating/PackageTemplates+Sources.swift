/// The Swift files of a new package: two actions, their implementation, a server, a client, a test.
extension PackageTemplates {
    static let contracts = PackageTemplate(
        path: "Sources/{{Module}}Contracts/Notes.swift",
        text: """
            import PlugHTTP

            /// A note.
            public struct Note: Codable, Sendable, Equatable {
                public var id: Int
                public var text: String

                public init(id: Int, text: String) {
                    self.id = id
                    self.text = text
                }
            }

            /// Adds a note.
            public class AddNote: Action<AddNote.Input, Note>, POST {
                public struct Input: Codable, Sendable, Constrained {
                    public var text: String

                    public init(text: String) { self.text = text }

                    /// An invalid text gets 422 before the implementation runs.
                    public static var constraints: Constraints {
                        ["text": [.minLength(1), .maxLength(200)]]
                    }
                }

                public static var path: String { "/notes" }
            }

            /// Gets a note.
            public class GetNote: Action<GetNote.Input, Note>, GET {
                public struct Input: Codable, Sendable {
                    public var id: Int

                    public init(id: Int) { self.id = id }
                }

                public static var path: String { "/notes/{id}" }
            }

            """
    )

    static let store = PackageTemplate(
        path: "Sources/{{Module}}Server/NoteStore.swift",
        text: """
            import PlugboardCommand
            import {{Module}}Contracts

            /// The notes, in memory.
            actor NoteStore {
                private var notes: [Int: Note] = [:]

                func add(_ text: String) -> Note {
                    let note = Note(id: notes.count + 1, text: text)
                    notes[note.id] = note
                    return note
                }

                func note(_ id: Int) throws -> Note {
                    guard let note = notes[id] else {
                        throw Problem.notFound("There is no note \\(id).")
                    }
                    return note
                }
            }

            """
    )

    static let server = PackageTemplate(
        path: "Sources/{{Module}}Server/{{Module}}Command.swift",
        text: """
            import PlugboardCommand
            import {{Module}}Contracts

            /// The command `{{name}}`.
            @main
            struct {{Module}}Command: ServerCommand {
                static let commandName = "{{name}}"
                static let abstract = "A server of notes."
                static let examples = [#"/notes --json '{"text":"Hello"}'"#, "/notes/1"]

                func server() -> Server {
                    Self.plug(NoteStore())
                    return Self.exposed
                }

                /// The actions that the server exposes.
                static var exposed: Server {
                    var server = Server {
                        AddNote.self
                        GetNote.self
                    }
                    server.api = APIInfo(title: "{{name}}")
                    return server
                }

                /// Plugs the actions' implementations.
                static func plug(_ store: NoteStore) {
                    AddNote.self <~ { input in await store.add(input.text) }
                    GetNote.self <~ { input in try await store.note(input.id) }
                }
            }

            """
    )

    static let client = PackageTemplate(
        path: "Sources/{{Module}}Client/{{Module}}Client.swift",
        text: """
            import PlugboardClient
            import {{Module}}Contracts

            /// Connects an app's actions to the server.
            ///
            /// After `connect(to:)` an app calls `try await action(AddNote.self, .init(text: "Hello"))`.
            public enum ServerConnection {
                /// Plugs the actions with calls of the server at a URL, with the caller's token if it has one.
                public static func connect(to url: String, token: String? = nil) {
                    let client = Client(url, token: token)
                    AddNote.self <~ client
                    GetNote.self <~ client
                }
            }

            """
    )

    static let tests = PackageTemplate(
        path: "Tests/{{Module}}ServerTests/NoteTests.swift",
        text: """
            import PlugboardTesting
            import Testing
            import {{Module}}Contracts

            @testable import {{Module}}Server

            @Suite("Notes")
            struct NoteTests {
                @Test("an added note is returned by its number")
                func adding() async throws {
                    try await serving { client in
                        let note = try await client.send(AddNote.self, .init(text: "Hello"))
                        let stored = try await client.send(GetNote.self, .init(id: note.id))
                        #expect(stored == Note(id: 1, text: "Hello"))
                    }
                }

                @Test("an empty text gets 422, an unknown number 404")
                func rejecting() async throws {
                    try await serving { client in
                        let invalid = await #expect(throws: Problem.self) {
                            try await client.send(AddNote.self, .init(text: ""))
                        }
                        #expect(invalid?.status == .unprocessableContent)
                        let unknown = await #expect(throws: Problem.self) {
                            try await client.send(GetNote.self, .init(id: 7))
                        }
                        #expect(unknown?.status == .notFound)
                    }
                }

                /// Runs a test with a store of its own. Other tests run at the same time.
                private func serving(_ test: (Client) async throws -> Void) async throws {
                    try await Actions.withPlugs {
                        {{Module}}Command.plug(NoteStore())
                    } operation: {
                        try await {{Module}}Command.exposed.test(test)
                    }
                }
            }

            """
    )
}
