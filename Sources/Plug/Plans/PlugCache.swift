/// The settings of a store for a plan's outputs: `{"cache": {"plug": "one", "seconds": 60}}`.
///
/// Only a ``SafeAction`` allows a cache. An output is stored for its caller (``PlugKey``), or for
/// all callers if the cache is `shared`. The cache of a ``CallerSpecific`` action can't be shared. A
/// change of the plan empties the cache.
public struct PlugCache: Sendable, Hashable {
    /// The time that an output is stored, in seconds.
    public var seconds: Double
    /// The maximum number of stored outputs.
    public var entries: Int
    /// The maximum total size of the encoded outputs, in bytes.
    public var bytes: Int
    /// Whether one caller's output is returned to all.
    public var shared: Bool

    /// Creates the settings of a cache.
    public init(
        seconds: Double = 60,
        entries: Int = 1000,
        bytes: Int = 16 << 20,
        shared: Bool = false
    ) {
        self.seconds = seconds
        self.entries = entries
        self.bytes = bytes
        self.shared = shared
    }

    func check(_ faults: inout PlanFaults, at pointer: String) {
        if !faults.features.isSafe {
            faults.fault(
                pointer,
                "only an action that reads can have a cache: this one isn't a GET"
            )
        } else if !faults.features.keepsOutputs {
            faults.fault(
                pointer,
                "the action's output isn't Encodable, or its input isn't Hashable or Encodable"
            )
        }
        if shared, faults.features.isCallerSpecific {
            faults.fault(
                pointer + "/shared",
                "the output may be for its caller only: the action uses the caller's identity"
            )
        }
        faults.seconds(seconds, at: pointer + "/seconds")
        faults.count(entries, in: 1...10_000_000, at: pointer + "/entries")
        faults.count(bytes, in: 1...(1 << 40), at: pointer + "/bytes")
    }
}

extension PlugCache: Codable {
    /// Decodes the settings; the plan is a member beside them.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.members("plug", "seconds", "entries", "bytes", "shared")
        self.init(
            seconds: try members.value("seconds", 60),
            entries: try members.value("entries", 1000),
            bytes: try members.value("bytes", 16 << 20),
            shared: try members.value("shared", false)
        )
    }
}
