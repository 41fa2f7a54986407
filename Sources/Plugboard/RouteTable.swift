import HTTPCodec
import JSONCodec
import PlugHTTP

/// The exposed actions by path and method.
///
/// A linear scan of the paths with as many segments, the more specific first: with the dozen routes
/// of an app's server it is as fast as anything. A trie pays from about a hundred.
struct RouteTable: Sendable {
    /// A class, so that looking at one retains one reference and not the four of its parts.
    private final class Route: Sendable {
        let template: PathTemplate
        /// The path's bytes where nothing in it varies.
        let path: [UInt8]?
        let actions: [Served]

        init(_ template: PathTemplate, _ actions: [Served]) {
            self.template = template
            path = template.staticPath.map { Array($0.utf8) }
            self.actions = actions
        }
    }

    /// An action, and what the server does around it; nil for nothing.
    typealias Served = (action: ExposedAction, policy: ActionPolicy?)

    enum Match {
        case action(ExposedAction, ActionPolicy?)
        /// The path has actions, but not for the method.
        case otherMethods([Method])
        case none
    }

    /// The routes by the number of their segments, which tells most paths apart at once.
    private var routes: [[Route]] = []

    /// Sorts actions into a table, each with the policy that is made for it.
    ///
    /// `problems` gets a line for each that can't be served.
    init(
        _ actions: [ExposedAction],
        _ policies: PolicyMaker = PolicyMaker(),
        problems: inout [String]
    ) {
        for action in actions {
            switch action.actionRoute {
            case .failure(let error): problems.append("\(action.name): \(error)")
            case .success(let route):
                let policy = policies.policy(of: action, beside: actions, &problems)
                insert((action, policy), route.template, &problems)
            }
        }
        for count in routes.indices {
            routes[count].sort { $0.template.precedes($1.template) }
        }
    }

    private mutating func insert(
        _ served: Served,
        _ template: PathTemplate,
        _ problems: inout [String]
    ) {
        let count = template.segments.count
        while routes.count <= count { routes.append([]) }
        let alike = routes[count]
        let same = alike.indices.filter { alike[$0].template.conflicts(with: template) }
        let action = served.action
        let others = same.flatMap { alike[$0].actions.map(\.action) }
        if let other = others.first(where: { $0.method == action.method }) {
            problems.append("\(action.name) and \(other.name) are both \(action.route)")
        } else if let index = same.first(where: { alike[$0].template.names == template.names }) {
            routes[count][index] = Route(template, alike[index].actions + [served])
        } else {
            // The same paths under other names are a route of their own, tried in turn.
            routes[count].append(Route(template, [served]))
        }
    }

    /// All that is in it.
    var all: [Served] { routes.flatMap { $0.flatMap(\.actions) } }

    /// Adds an action, with the policy that is made for it.
    mutating func add(
        _ action: ExposedAction,
        _ policies: PolicyMaker,
        _ problems: inout [String]
    ) {
        guard let template = action.template else { return }
        let policy = policies.policy(of: action, &problems)
        insert((action, policy), template, &problems)
        routes[template.segments.count].sort { $0.template.precedes($1.template) }
    }

    /// Finds the action for a request's path, as it came, and its method; `members` gets the path's
    /// values, in place of what was in it.
    ///
    /// HEAD is answered by GET's action (RFC 9110 §9.3.2).
    func match(
        _ path: ByteSpan,
        _ method: Method,
        _ members: inout [TextMember]
    ) throws(MalformedTarget) -> Match {
        let wanted = method == .head ? .get : method
        var segments = 0
        if path.count > 1 { for byte in path where byte == 0x2F { segments += 1 } }
        guard segments < routes.count else { return .none }
        var allowed: [Method] = []
        for route in routes[segments] {
            members.removeAll(keepingCapacity: true)
            guard try Self.matches(route, path, &members) else { continue }
            for served in route.actions {
                if served.action.method == wanted { return .action(served.action, served.policy) }
                allowed.append(served.action.method)
            }
        }
        return allowed.isEmpty ? .none : .otherMethods(allowed)
    }

    private static func matches(
        _ route: Route,
        _ path: ByteSpan,
        _ members: inout [TextMember]
    ) throws(MalformedTarget) -> Bool {
        if let bytes = route.path, bytes.count == path.count, path.elementsEqual(bytes) {
            return true
        }
        return try route.template.captures(in: UnsafeRawBufferPointer(path), into: &members)
    }
}
