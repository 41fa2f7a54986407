import PlugboardCommand

struct Todo: Codable, Sendable, Equatable {
    var id: Int
    var title: String
    var note: String?
    var isDone: Bool
}

class ListTodos: Action<ListTodos.Query, Page<Todo>>, GET {
    struct Query: Codable, Sendable, Constrained {
        var isDone: Bool?
        var cursor: String?
        var limit = 20
        static var constraints: Constraints {
            [
                "limit": [.default(20), .minimum(1), .maximum(100)],
                "cursor": [.pattern("^[0-9]+$")],
            ]
        }
    }
    static var path: String { "/todos" }
}

class AddTodo: Action<AddTodo.Input, Todo>, POST {
    struct Input: Codable, Sendable, Constrained {
        var title: String
        var note: String?
        static var constraints: Constraints { ["title": [.minLength(1), .maxLength(200)]] }
    }
    static var path: String { "/todos" }
    static var statuses: [HTTPResponse.Status] { [.created] }
}

class EditTodo: Action<EditTodo.Input, Todo>, PATCH {
    struct Input: Codable, Sendable {
        var id: Int
        var note = Change<String>.keep
        var isDone: Bool?
    }
    static var path: String { "/todos/{id}" }
    static var problems: [any DeclaredProblem.Type] { [NoTodo.self] }
}

class RemoveTodo: Action<RemoveTodo.Input, Void>, DELETE, Scoped {
    struct Input: Codable, Sendable { var id: Int }
    static var path: String { "/todos/{id}" }
    static var scopes: Scopes { ["todos:remove"] }
    static var problems: [any DeclaredProblem.Type] { [NoTodo.self] }
}

class WatchTodos: Action<Void, AsyncStream<Todo>>, GET { static var path: String { "/todos/live" } }

struct NoTodo: DeclaredProblem, Equatable {
    static let status = HTTPResponse.Status.notFound
    static let type = "https://example.com/problems/no-todo"
    static let title = "There is no such todo"
    var id: Int
}
