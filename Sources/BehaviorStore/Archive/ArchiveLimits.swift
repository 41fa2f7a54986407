/// The limits of an archive: all of it is in memory until it is stored or rejected.
package struct ArchiveLimits: Sendable {
    /// The most bytes of its text.
    package var bytes = 1 << 30
    /// The most rows of the audit.
    package var rows = 1_000_000
    /// The most documents, over all environments.
    package var documents = StoreLimits.maximumDocumentCount
    /// The most documents that have overrides, over all environments.
    package var overrides = StoreLimits.maximumDocumentCount
    /// The most environments with rules.
    package var rules = StoreLimits.maximumDocumentCount
    /// The most schedules of a document.
    package var schedules = StoreLimits.maximumScheduleCount

    package init() {}
}
