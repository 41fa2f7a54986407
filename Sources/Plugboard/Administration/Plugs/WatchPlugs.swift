import Plug
import PlugHTTP

/// Streams the figures of all actions and implementations over the last minute, for the console.
///
/// An event `board` comes at once and then each second. Its data is JSON: `at` in milliseconds since
/// 1970, and `actions` by name with `revision`, `rate` and `errors` per second, `p50` and `p99` in
/// microseconds, and the same of each of `implementations`. One that a guard unplugged has the reason
/// as its `note`. `breakers` has each breaker's state and `caches` each cache's `hits` and `misses`,
/// by the layer's JSON Pointer in the plan. A change of a plan raises its revision.
package class WatchPlugs: Action<Void, EventStream>, GET, Scoped {
    package static var path: String { "/plugs/events" }
    package static var scopes: Scopes { .admin }
}

extension ExposedAction {
    /// The action that streams a board's figures.
    static func events(of board: PlugBoard) -> ExposedAction {
        ExposedAction(own: WatchPlugs.self, .events) { board.events() }
    }
}
