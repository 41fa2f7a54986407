public import HTTPTransport
public import HTTPTypes
public import JSONCodec

extension BehaviorClient {
    /// The time at which a newer document is performed.
    public enum Updates: Sendable, Hashable {
        /// At the next start: the behavior is stable within a session.
        case atNextStart
        /// As soon as it is fetched.
        case immediately
    }

    /// The options of a client.
    public struct Options: Sendable {
        /// The user's properties, with the `targetingKey`.
        ///
        /// Each fetch sends them as `Plugboard-Context`. Rules that reach the app read them, too.
        public var context: JSON.Object = [:]
        /// The time at which a newer document is performed.
        public var updates = Updates.atNextStart
        /// The time between two fetches of ``BehaviorClient/run()``, from a second to a day.
        public var interval = Duration.seconds(300)
        /// The app's lifecycle, as its platform reports it.
        public var lifecycle = Lifecycle()
        /// The fields of each request.
        public var fields: HTTPFields = [:]
        /// A bearer token; nil for none.
        public var token: String?
        /// The transport of requests.
        public var transport: any Transport = PlatformTransport.shared
        /// The time after a call's beginning in which an end counts as a crash.
        package var crashTime = Duration.seconds(10)

        /// Creates the default options.
        public init() {}
    }
}
