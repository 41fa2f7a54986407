/// The write-ahead mark of an app's run: the applied revision and the running function.
///
/// The client writes it before each call. After a crash the next start reads it.
struct RunMark: Hashable, Sendable {
    enum Phase: UInt8, Sendable, CaseIterable {
        /// Nothing is applied yet.
        case started
        /// A revision is applied, and a call began less than ten seconds ago.
        case applying
        /// Ten seconds passed since the last call began.
        case settled
        /// The app stopped by itself.
        case stopped
    }

    /// The number of the run, from 1.
    var run: UInt64
    var phase = Phase.started
    var isForeground: Bool
    var applied: AppliedDocument?
    /// The running function; nil between performances.
    var call: ModuleCall?
}

/// A module's function, or `init` for the module's creation.
struct ModuleCall: Hashable, Sendable, Codable {
    var module: String
    var function: String
}

/// The document of a performance.
struct AppliedDocument: Hashable, Sendable, Codable {
    /// The newest revision, which would be applied without the guard.
    var newest: String
    /// The applied revision.
    var revision: String
    var source: DocumentSource
}

/// The origin of a performed document.
public enum DocumentSource: String, Sendable, Codable, CaseIterable {
    /// The newest document of the server.
    case newest
    /// An earlier document of the server, since the newest one crashes the app.
    case previous
    /// The document in the app.
    case bundled
    /// No document, since all of them crash the app.
    case nothing

    /// The next source after crashes of this one.
    var fallback: DocumentSource {
        switch self {
        case .newest: .previous
        case .previous: .bundled
        case .bundled, .nothing: .nothing
        }
    }
}

extension RunMark {
    /// Begins a call, which counts for the next ten seconds.
    mutating func begin(_ call: ModuleCall) {
        phase = .applying
        self.call = call
    }

    /// Ends the last call of a performance.
    mutating func end() { call = nil }

    /// Records a change of the app's lifecycle.
    mutating func change(_ event: Lifecycle.Event) {
        switch event {
        case .foreground: isForeground = true
        case .background: isForeground = false
        case .cleanStop: phase = .stopped
        }
    }
}

extension RunMark {
    /// The bytes of a mark: numbers and texts with their lengths.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [phase.rawValue, isForeground ? 1 : 0]
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: run >> UInt64(shift)))
        }
        let texts = [
            applied?.newest, applied?.revision, applied?.source.rawValue, call?.module,
            call?.function,
        ]
        for text in texts {
            let utf8 = Array((text ?? "").utf8.prefix(Self.maximumText))
            bytes.append(text == nil ? 0 : 1)
            bytes.append(UInt8(utf8.count >> 8))
            bytes.append(UInt8(utf8.count & 0xFF))
            bytes += utf8
        }
        return bytes
    }

    /// The longest text of a mark, in bytes; names of types and functions are shorter.
    static let maximumText = 700

    /// Parses a mark; nil for other bytes.
    init?(bytes: some Sequence<UInt8>) {
        var rest = bytes.makeIterator()
        guard let phase = rest.next().flatMap(Phase.init(rawValue:)),
            let flag = rest.next(), flag < 2
        else { return nil }
        var run: UInt64 = 0
        for _ in 0..<8 {
            guard let byte = rest.next() else { return nil }
            run = run << 8 | UInt64(byte)
        }
        var texts: [String?] = []
        for _ in 0..<5 {
            guard let isThere = rest.next(), isThere < 2, let high = rest.next(),
                let low = rest.next()
            else { return nil }
            let count = Int(high) << 8 | Int(low)
            var text: [UInt8] = []
            for _ in 0..<count {
                guard let byte = rest.next() else { return nil }
                text.append(byte)
            }
            texts.append(isThere == 1 ? String(decoding: text, as: UTF8.self) : nil)
        }
        guard rest.next() == nil else { return nil }
        self.init(run: run, phase: phase, isForeground: flag == 1)
        if let newest = texts[0], let revision = texts[1], let source = texts[2] {
            guard let source = DocumentSource(rawValue: source) else { return nil }
            applied = AppliedDocument(newest: newest, revision: revision, source: source)
        }
        if let module = texts[3], let function = texts[4] {
            call = ModuleCall(module: module, function: function)
        }
    }
}
