import BehaviorClient
import PhotoContracts
import PlugboardClient

/// The parts of the app that its screens share: the client, and the way to the network.
struct AppServices: Sendable {
    /// The server's client, whose calls end after `--timeout`.
    let client: Client
    private let options: AppOptions
    private let transport: any Transport
    private let recorder: RecordingTransport?

    /// Makes the services and plugs the actions into the server.
    ///
    /// - Throws: An error of the file of `--replay`.
    init(_ options: AppOptions) throws {
        if let file = options.replay {
            self.init(options, network: ReplayingTransport(try Recording(file: file)))
        } else {
            self.init(options, network: PlatformTransport.shared)
        }
    }

    /// Makes the services over another network, such as a `MockTransport`.
    init(_ options: AppOptions, network: any Transport) {
        self.options = options
        recorder = options.record.map { _ in RecordingTransport(network) }
        transport = Self.transport(options, recorder ?? network)
        var client = Client(options.url, transport: transport).within(.seconds(options.timeout))
        client.reconnection.backoff = Backoff(first: .milliseconds(500), maximum: .seconds(10))
        client.reconnection.continuesAfterEnd = true
        client.reconnection.onBreak = { Terminal.notice("reconnecting: \(Terminal.words($0))") }
        self.client = client
        plug()
    }

    /// Wires the contracts to the server; tests and previews wire them to something else.
    private func plug() {
        ListPhotos.self <~ client
        GetPhoto.self <~ client
        PostPhoto.self <~ client
        LikePhoto.self <~ client
    }

    /// Returns the transports, from the network to the token.
    ///
    /// A recording has all responses in full, so it has no cache between. A stored response needs
    /// no further attempt, so the cache is within the retries.
    private static func transport(
        _ options: AppOptions,
        _ network: any Transport
    ) -> any Transport {
        guard options.replay == nil else { return network }
        var transport: any Transport = RedirectingTransport(network)
        if options.record == nil {
            transport = CachingTransport(transport, folder: options.storage + "/responses") {
                Terminal.notice("offline, stored \($0.path ?? ""): \(Terminal.words($1))")
            }
        }
        // An attempt whose response was lost is repeated with the same key: it has one effect.
        var policy = RetryingTransport.Policy()
        policy.maximumAttempts = 20
        policy.backoff.maximum = .seconds(2)
        policy.makesIdempotencyKeys = true
        transport = RetryingTransport(transport, policy: policy)
        guard let file = options.tokenFile else { return transport }
        return AuthorizingTransport(transport, for: options.url, token: nil) { _ in
            try TokenFile.read(file)
        }
    }

    /// Returns the client of the server's behaviors, which opens its storage.
    func behaviors(_ updates: BehaviorClient.Updates) -> BehaviorClient {
        var settings = BehaviorClient.Options()
        settings.transport = transport
        settings.updates = updates
        settings.interval = .seconds(5)
        return BehaviorClient(
            options.url,
            AppModules.catalog,
            bundled: Array(AppModules.bundled.utf8),
            storage: BehaviorStorage(folder: options.storage + "/behaviors"),
            options: settings
        )
    }

    /// Writes the file of `--record`.
    func writeRecording() throws {
        guard let recorder, let file = options.record else { return }
        try recorder.recording.write(to: file)
    }
}
