import Glibc
import HTTPSyntax

/// The route and the timing of a request, for metrics and logs.
struct RequestSubject {
    /// The routes outside actions; each exposed action has a number of its own.
    enum Route {
        /// Rejected before its target was matched.
        static let refused = 0
        static let none = 1
        static let behaviors = 2
        static let files = 3
        static let liveness = 4
        static let readiness = 5
        static let description = 6
        static let documentation = 7
        static let namedBehaviors = 8
        static let console = 9
        /// The first number of an action.
        static let actions = 16

        /// Whether a route is `/openapi.json` or `/docs`.
        static func isDescription(_ route: Int) -> Bool {
            route == description || route == documentation
        }

        /// Whether a route is a health probe.
        static func isProbe(_ route: Int) -> Bool { route == liveness || route == readiness }
    }

    var route = Route.none
    /// The start of the work on the response, in nanoseconds of ``now()``.
    var began: Int
    /// Whether an action was performed.
    var isCall = false

    /// Creates a subject.
    ///
    /// `began` is the time after the server has read the request and before its first check.
    init(route: Int = Route.none, began: Int) {
        self.route = route
        self.began = began
    }

    /// The monotonic clock in nanoseconds.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
