/// An app's lifecycle, as far as its platform reports it.
///
/// Each platform has its own: an iOS app passes its scene's phases, a terminal program its signals,
/// a test any value.
public struct Lifecycle: Sendable {
    /// The platform's reason for the end of the previous run.
    public enum End: String, Sendable, Codable, CaseIterable {
        /// The platform doesn't know. The mark of the previous run decides alone.
        case unknown
        /// A signal, an uncaught exception, a watchdog.
        case crash
        /// The app ended by itself.
        case clean
        /// The user ended the app.
        case swiped
        /// The system needed the app's memory.
        case outOfMemory
        /// A debugger ended the app.
        case debugger
        /// An update of the app or of the system ended it.
        case update

        /// Whether such an end may be the behavior's fault.
        var mayBeCrash: Bool { self == .unknown || self == .crash }
    }

    /// A change that the client records at once.
    public enum Event: String, Sendable, CaseIterable {
        /// The user sees the app.
        case foreground
        /// The user doesn't see the app. Its end isn't a crash then.
        case background
        /// The app ends by itself.
        case cleanStop
    }

    /// The reason for the end of the previous run.
    public var lastEnd: End
    /// Whether the app starts in the foreground.
    public var isForeground: Bool

    /// Creates a lifecycle.
    ///
    /// The default is that of a platform that knows nothing: an app in the foreground, whose last
    /// end is unknown.
    public init(lastEnd: End = .unknown, isForeground: Bool = true) {
        self.lastEnd = lastEnd
        self.isForeground = isForeground
    }
}
