import PlugboardTesting
import Testing
@testable import Todo

struct TodoTests {
    @Test("pages of a filtered list")
    func listing() async throws {
        try await serving { client in
            for title in ["tea", "milk", "rice"] {
                _ = try await client.send(AddTodo.self, .init(title: title))
            }
            _ = try await client.send(EditTodo.self, .init(id: 2, isDone: true))
            let first = try await client.send(ListTodos.self, .init(isDone: false, limit: 1))
            #expect(first.items.map(\.title) == ["tea"] && first.total == 2)
            let last = ListTodos.Query(isDone: false, cursor: first.next)
            #expect(try await client.send(ListTodos.self, last).items.map(\.title) == ["rice"])
        }
    }

    @Test("a change clears or keeps the note; an unknown todo is NoTodo")
    func editing() async throws {
        try await serving { client in
            let added = try await client.send(AddTodo.self, .init(title: "tea", note: "green"))
            let done = try await client.send(EditTodo.self, .init(id: added.id, isDone: true))
            #expect(done == Todo(id: 1, title: "tea", note: "green", isDone: true))
            #expect(try await client.send(EditTodo.self, .init(id: 1, note: .clear)).note == nil)
            let none = EditTodo.Input(id: 7)
            await #expect(throws: NoTodo(id: 7)) { try await client.send(EditTodo.self, none) }
        }
    }

    @Test("only a caller with the scope removes a todo")
    func removing() async throws {
        try await serving { client in
            let todo = try await client.send(AddTodo.self, .init(title: "tea"))
            let it = RemoveTodo.Input(id: todo.id)
            await #expect(throws: Problem.self) { try await client.send(RemoveTodo.self, it) }
            let ada = client.as(Caller(id: "1", name: "ada", scopes: ["todos:remove"]))
            try await ada.send(RemoveTodo.self, it)
            #expect(try await client.send(ListTodos.self, .init()).items.isEmpty)
        }
    }

    @Test("a stream has each change")
    func watching() async throws {
        let store = TodoStore()
        var changes = await store.watch().makeAsyncIterator()
        let todo = await store.add(.init(title: "tea"))
        #expect(await changes.next() == todo)
    }

    private func serving(_ test: (Client) async throws -> Void) async throws {
        var server = Server()
        try await Actions.withPlugs {
            server = TodoServer.server(of: TodoStore())
        } operation: {
            try await server.test(test)
        }
    }
}
