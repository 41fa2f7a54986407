import HTTPCodec
import JSONCodec
import PlugHTTP

/// The exposed actions by path and method.
///
/// A linear scan, the more specific path first: with the dozen routes of an app's server it is as
/// fast as anything. A trie pays from about a hundred.
struct RouteTable: Sendable {
    private struct Route {
        let template: PathTemplate
        /// The path's bytes where nothing in it varies.
        let path: [UInt8]?
        /// The number of its segments, which tells most paths apart at once.
        var segments: Int { template.segments.count }
        var actions: [ExposedAction]
    }

    enum Match {
        case action(ExposedAction, [TextMember])
        /// The path has actions, but not for the method.
        case otherMethods([Method])
        case none
    }

    private var routes: [Route] = []

    /// Sorts actions into a table.
    ///
    /// `problems` gets a line for each that can't be served.
    init(_ actions: [ExposedAction], problems: inout [String]) {
        for action in actions {
            switch action.actionRoute {
            case .failure(let error): problems.append("\(action.name): \(error)")
            case .success(let route): insert(action, route.template, &problems)
            }
        }
        routes.sort { $0.template.precedes($1.template) }
    }

    private mutating func insert(
        _ action: ExposedAction,
        _ template: PathTemplate,
        _ problems: inout [String]
    ) {
        let same = routes.indices.filter { routes[$0].template.conflicts(with: template) }
        let others = same.flatMap { routes[$0].actions }
        if let other = others.first(where: { $0.method == action.method }) {
            problems.append("\(action.name) and \(other.name) are both \(action.route)")
        } else if let index = same.first(where: { routes[$0].template.names == template.names }) {
            routes[index].actions.append(action)
        } else {
            // The same paths under other names are a route of their own, tried in turn.
            let path = template.staticPath.map { Array($0.utf8) }
            routes.append(Route(template: template, path: path, actions: [action]))
        }
    }

    /// Finds the action for a request's path, as it came, and its method.
    ///
    /// HEAD is answered by GET's action (RFC 9110 §9.3.2).
    func match(_ path: ByteSpan, _ method: Method) throws(MalformedTarget) -> Match {
        let wanted = method == .head ? .get : method
        var segments = 0
        if path.count > 1 { for byte in path where byte == 0x2F { segments += 1 } }
        var allowed: [Method] = []
        for index in routes.indices where routes[index].segments == segments {
            guard let members = try Self.members(routes[index], path) else { continue }
            for action in routes[index].actions {
                if action.method == wanted { return .action(action, members) }
                allowed.append(action.method)
            }
        }
        return allowed.isEmpty ? .none : .otherMethods(allowed)
    }

    private static func members(
        _ route: Route,
        _ path: ByteSpan
    ) throws(MalformedTarget) -> [TextMember]? {
        if let bytes = route.path, bytes.count == path.count, path.elementsEqual(bytes) {
            return []
        }
        return try route.template.captures(in: UnsafeRawBufferPointer(path))
    }
}
