import HTTPSyntax
import JSONCodec
import PlugHTTP

/// The checks of a route's requests, and the work around its action.
protocol RoutePolicy: AnyObject, Sendable {}

/// The policies of routes.
protocol RoutePolicies {
    /// Whether the responses of all GET actions have entity tags.
    var tagsAll: Bool { get }

    /// Returns an action's policy; nil if it needs none.
    ///
    /// `tagged` are the actions whose responses have entity tags. `problems` gets a line for each
    /// declaration that the server can't meet.
    func policy(
        of action: ExposedAction,
        beside tagged: [ExposedAction],
        _ problems: inout [String]
    ) -> (any RoutePolicy)?
}

/// The exposed actions by path and method.
///
/// A lookup scans the paths with the same number of segments, the more specific ones first. A path
/// with a different first segment costs one comparison. For the dozens of routes of a server this
/// is as fast as any structure; a trie pays off from about a hundred.
struct RouteTable: Sendable {
    /// A class, because reading one then retains one reference instead of four.
    private final class Route: Sendable {
        let template: PathTemplate
        /// The path's bytes; nil for a template with variables.
        let path: [UInt8]?
        let actions: [Served]

        /// The route's entry in the table.
        var entry: Entry {
            guard let literal = template.literals.first ?? nil, let byte = literal.first else {
                return Entry(key: RouteTable.anyKey, route: self)
            }
            return Entry(key: RouteTable.key(byte, literal.count), route: self)
        }

        init(_ template: PathTemplate, _ actions: [Served]) {
            self.template = template
            path = template.staticPath.map { Array($0.utf8) }
            self.actions = actions
        }
    }

    /// A route and the key that excludes most paths without a look at the route.
    private struct Entry: Sendable {
        /// The key of the route's first segment.
        let key: Int
        let route: Route

        var template: PathTemplate { route.template }
        var actions: [Served] { route.actions }
    }

    /// An action and its policy; nil for an action without a policy.
    typealias Served = (action: ExposedAction, policy: (any RoutePolicy)?)

    enum Match {
        case action(ExposedAction, (any RoutePolicy)?)
        /// The path has actions, but none for the method.
        case otherMethods([Method])
        case none
    }

    /// The routes by their number of segments.
    private var routes: [[Entry]] = []

    /// Builds a table of actions with their policies.
    ///
    /// `problems` gets a line for each action that can't be served. The table leaves it out.
    init(_ actions: [ExposedAction], _ policies: some RoutePolicies, problems: inout [String]) {
        let tagged = actions.filter { $0.isTagged(whereAllAre: policies.tagsAll) }
        for action in actions { insert(action, policies, beside: tagged, &problems) }
        sort()
    }

    /// Adds an action with its policy.
    mutating func add(
        _ action: ExposedAction,
        _ policies: some RoutePolicies,
        _ problems: inout [String]
    ) {
        insert(action, policies, beside: [], &problems)
        sort()
    }

    private mutating func sort() {
        for count in routes.indices {
            routes[count].sort { $0.template.precedes($1.template) }
        }
    }

    private mutating func insert(
        _ action: ExposedAction,
        _ policies: some RoutePolicies,
        beside tagged: [ExposedAction],
        _ problems: inout [String]
    ) {
        switch action.actionRoute {
        case .failure(let error): problems.append("\(action.name): \(error)")
        case .success(let route):
            let count = problems.count
            let policy = policies.policy(of: action, beside: tagged, &problems)
            // An action without its complete policy would be unprotected.
            guard problems.count == count else { return }
            insert((action, policy), route.template, &problems)
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
            routes[count][index] = Route(template, alike[index].actions + [served]).entry
        } else {
            // One of the server's own actions may have other variable names: a separate route.
            routes[count].append(Route(template, [served]).entry)
        }
    }

    /// All routes' actions.
    var all: [Served] { routes.flatMap { $0.flatMap(\.actions) } }

    /// Finds the action for a normalized path and a method; sets `members` to the path's values.
    ///
    /// GET's action also handles HEAD (RFC 9110 §9.3.2).
    func match(
        _ path: ByteSpan,
        _ method: Method,
        _ members: inout [TextMember]
    ) throws(MalformedTarget) -> Match {
        let wanted = method == .head ? .get : method
        var segments = 0
        if path.count > 1 { for byte in path where byte == 0x2F { segments += 1 } }
        guard segments < routes.count else { return .none }
        let key = Self.key(of: path)
        var allowed: [Method] = []
        for entry in routes[segments]
        where entry.key == key || entry.key == Self.anyKey || key == Self.anyKey {
            let route = entry.route
            members.removeAll(keepingCapacity: true)
            guard try Self.matches(route, path, &members) else { continue }
            for served in route.actions {
                if served.action.method == wanted { return .action(served.action, served.policy) }
                allowed.append(served.action.method)
            }
        }
        return allowed.isEmpty ? .none : .otherMethods(allowed)
    }

    /// The key of a variable first segment.
    private static let anyKey = 0

    /// The key of a first segment with this first byte and this length.
    private static func key(_ first: UInt8, _ count: Int) -> Int { count << 8 | Int(first) }

    /// The key of a path's first segment.
    private static func key(of path: ByteSpan) -> Int {
        guard path.count > 1 else { return anyKey }
        var end = 1
        while end < path.count, path[end] != 0x2F { end += 1 }
        return key(path[1], end - 1)
    }

    private static func matches(
        _ route: Route,
        _ path: ByteSpan,
        _ members: inout [TextMember]
    ) throws(MalformedTarget) -> Bool {
        if let bytes = route.path, bytes.count == path.count, path.elementsEqual(bytes) {
            return true
        }
        return try route.template.captures(in: path, into: &members)
    }
}
