import PlugboardCommand

@main
struct TodoServer: ServerCommand {
    func server() -> Server { Self.server(of: TodoStore()) }

    static func server(of store: TodoStore) -> Server {
        ListTodos.self <~ { query in await store.list(query) }
        AddTodo.self <~ { input in await store.add(input) }
        EditTodo.self <~ { input in try await store.edit(input) }
        RemoveTodo.self <~ { input in try await store.remove(input.id) }
        WatchTodos.self <~ { await store.watch() }
        return Server {
            ListTodos.self
            AddTodo.self
            EditTodo.self
            RemoveTodo.self
            WatchTodos.self
        }
    }
}

actor TodoStore {
    private var todos: [Int: Todo] = [:]
    private var lastID = 0
    private var watchers: [AsyncStream<Todo>.Continuation] = []

    func list(_ query: ListTodos.Query) -> Page<Todo> {
        let found = todos.values.filter { query.isDone == nil || query.isDone == $0.isDone }
            .sorted { $0.id < $1.id }
        let last = query.cursor.map { Int($0) ?? .max } ?? 0
        return Page(found.drop { $0.id <= last }, limit: query.limit, total: found.count) {
            "\($0.id)"
        }
    }

    func add(_ input: AddTodo.Input) -> Todo {
        lastID += 1
        return store(Todo(id: lastID, title: input.title, note: input.note, isDone: false))
    }

    func edit(_ input: EditTodo.Input) throws -> Todo {
        guard var todo = todos[input.id] else { throw NoTodo(id: input.id) }
        input.note.apply(to: &todo.note)
        todo.isDone = input.isDone ?? todo.isDone
        return store(todo)
    }

    func remove(_ id: Int) throws {
        guard todos.removeValue(forKey: id) != nil else { throw NoTodo(id: id) }
    }

    func watch() -> AsyncStream<Todo> { AsyncStream { watchers.append($0) } }

    private func store(_ todo: Todo) -> Todo {
        todos[todo.id] = todo
        watchers.removeAll { if case .terminated = $0.yield(todo) { true } else { false } }
        return todo
    }
}
