import Glibc
import HTTPSyntax

/// What a request turned out to be about, for whoever counts and logs it.
struct RequestSubject {
    /// The routes that are no action's; an exposed action has a number of its own.
    enum Route {
        /// Refused before its target counted.
        static let refused = 0
        static let none = 1
        static let behaviors = 2
        static let files = 3
        static let liveness = 4
        static let readiness = 5
        static let description = 6
        static let documentation = 7
        static let namedBehaviors = 8
        /// The first number of an action.
        static let actions = 16

        /// The routes of the actions that describe the server.
        static func isDescription(_ route: Int) -> Bool {
            route == description || route == documentation
        }

        /// What an operator's probes ask for.
        static func isProbe(_ route: Int) -> Bool { route == liveness || route == readiness }
    }

    var route = Route.none
    /// When the work on its answer began, in nanoseconds; 0 where it was at hand.
    var began = 0
    /// Whether an action was performed.
    var isCall = false

    /// The series that counts its request, once that has a status.
    @inline(__always)
    func key(_ method: Method, _ status: UInt16) -> RequestCounters.Key {
        RequestCounters.Key(route: route, method: method.rawValue, status: status, isCall: isCall)
    }

    /// The monotonic clock in nanoseconds.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
