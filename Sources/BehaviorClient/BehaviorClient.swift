public import Behaviors
import HTTPTransport
import HTTPTypes
import JSONCodec
import PlugboardClient

/// An app's behavior: fetched from a server, stored, performed, and guarded against crashes.
///
/// ```swift
/// let client = BehaviorClient(
///     "https://example.com/behaviors.json",
///     catalog,
///     bundled: Array(bundledText.utf8),
///     storage: BehaviorStorage(folder: folder)
/// )
/// let performance = await client.start()     // from the disk, offline
/// await client.run()                         // fetches until its task is cancelled
/// ```
/// The first start performs the bundled document, later ones the newest stored one. A document that
/// crashes the app is replaced: see ``DocumentSource``. No error prevents a start.
public actor BehaviorClient {
    /// The performances and fetches, the last 100 that no loop has received.
    public nonisolated let events: AsyncStream<BehaviorEvent>

    let address: Result<DocumentAddress, ClientError>
    let catalog: ModuleCatalog
    let bundled: [UInt8]
    var options: Options
    let recorder: RunRecorder
    let continuation: AsyncStream<BehaviorEvent>.Continuation
    private(set) lazy var bundledRevision = ContentHash.text(of: bundled)

    /// The newest document of a context, in memory.
    struct Newest {
        var context: String
        var revision: String
        var tag: String?
        var bytes: [UInt8]
        /// The number of the request that received it.
        var request = 0
    }

    var newest: Newest?
    var requestCount = 0
    private(set) var session: Task<BehaviorPerformance, Never>?
    /// The last performance in the queue; performances never overlap.
    var last: Task<BehaviorPerformance, Never>?
    var settling: Task<Void, Never>?
    var performedRevision: String?

    /// Creates a client and opens its storage.
    ///
    /// An invalid URL or token is an error of each fetch. An invalid bundled document and an
    /// unusable storage are ``BehaviorPerformance/problems`` of the start.
    ///
    /// - Parameters:
    ///   - url: the document's URL; without a path, that of `/behaviors.json`.
    ///   - catalog: the modules that documents can use.
    ///   - bundled: the app's own document, which may have rules and segments.
    ///   - storage: the folder for documents and the crash guard; nil to store nothing.
    ///   - options: context, updates, lifecycle, and the way to the server.
    public init(
        _ url: String,
        _ catalog: ModuleCatalog,
        bundled: [UInt8],
        storage: BehaviorStorage?,
        options: Options = Options()
    ) {
        var options = options
        do throws(ClientError) {
            if let token = options.token {
                options.fields[.authorization] = "Bearer \(try SentToken(token).text)"
            }
            address = .success(try DocumentAddress(url))
        } catch {
            address = .failure(error)
        }
        self.catalog = catalog
        self.bundled = bundled
        self.options = options
        recorder = RunRecorder(storage, options.lifecycle)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
    }

    deinit {
        settling?.cancel()
        continuation.finish()
    }

    /// Performs the session's document: the newest stored one, or the one that the guard chooses.
    ///
    /// It needs no network. Later calls perform nothing and return the same result.
    @discardableResult
    public func start() async -> BehaviorPerformance {
        if let session { return await session.value }
        let task = enqueue()
        session = task
        return await Self.value(of: task)
    }

    /// Performs the newest stored document, also within a session.
    @discardableResult
    public func performNewest() async -> BehaviorPerformance {
        guard session != nil else { return await start() }
        return await Self.value(of: enqueue())
    }

    /// Starts, then fetches at each interval until the task is cancelled.
    ///
    /// After failures the interval doubles, up to an hour. `Retry-After` is respected.
    public func run() async {
        await start()
        var schedule = PollSchedule(interval: options.interval)
        while !Task.isCancelled {
            let delay: Duration
            do throws(DocumentResponse.Failure) {
                _ = try await fetch()
                delay = schedule.delayAfterSuccess(random: .random(in: 0...1))
            } catch {
                delay = schedule.delayAfterFailure(
                    retryAfter: error.retryAfter,
                    random: .random(in: 0...1)
                )
            }
            try? await Task.sleep(for: delay)
        }
    }

    /// Fetches the newest document once.
    ///
    /// - Throws: the server's `Problem`, `ClientError`, `InvalidBehavior` for an invalid document,
    ///   or `CancellationError`.
    public func refresh() async throws -> BehaviorRefresh {
        do throws(DocumentResponse.Failure) {
            return try await fetch()
        } catch {
            throw error.error
        }
    }

    /// Changes the user's properties.
    ///
    /// The next fetch sends them, without the tag of another context. Documents of other contexts
    /// are never performed for this one.
    public func setContext(_ context: JSON.Object) { options.context = context }

    /// Records a change of the app's lifecycle.
    ///
    /// It is written before the method returns, so that an app can call it as its last act.
    public nonisolated func handle(_ event: Lifecycle.Event) { recorder.change(event) }

    /// Records a clean stop and frees the storage for another client.
    ///
    /// The client stores nothing afterwards.
    public nonisolated func close() { recorder.close() }
}
