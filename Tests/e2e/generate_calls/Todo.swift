import GeneratedTodo
import PlugboardClient

func callTodo(_ client: Client) async throws {
    let todo = try await client.send(AddTodo.self, .init(title: "Write", note: "soon"))
    try show("todo.add", todo)
    try show(
        "todo.list",
        try await client.send(ListTodos.self, .init(isDone: false, limit: 1)).items
    )
    let edited = try await client.send(
        EditTodo.self,
        .init(id: todo.id, note: .clear, isDone: .set(true))
    )
    try show("todo.edit", edited)
    let changes = try await client.send(WatchTodos.self)
    let other = try await client.send(AddTodo.self, .init(title: "Read"))
    for try await todo in changes {
        try show("todo.watch", todo == other)
        break
    }
    do {
        _ = try await client.send(EditTodo.self, .init(id: 99))
    } catch let error as NoTodo {
        try show("todo.missing", error.id)
    }
    do {
        try await client.send(RemoveTodo.self, .init(id: todo.id))
    } catch let problem as Problem {
        try show("todo.remove", problem.status.code)
    }
}
