/// The limits of a store's contents.
package enum StoreLimits {
    /// The most documents of a store, over all environments.
    package static let maximumDocumentCount = 10_000
    /// The most schedules of a document.
    package static let maximumScheduleCount = 100
    /// How far in the past a new schedule's time may be, in seconds; it then goes live at once.
    ///
    /// Clocks differ and requests take time, so that "now" may arrive late.
    package static let scheduleTolerance = 60
    /// How often an operation is tried while concurrent changes invalidate it.
    static let attempts = 100

    /// The error of a document that exceeds ``maximumDocumentCount``.
    static let tooManyDocuments = BehaviorStoreError.conflict(
        "a store has \(maximumDocumentCount) documents at most"
    )
}
