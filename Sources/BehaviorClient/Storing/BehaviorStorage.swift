/// The folder in which a client stores documents and the crash guard's state.
///
/// It has at most nine documents of at most 1 MiB, a state of at most 256 KiB, and a mark of 8 KiB.
/// One process uses it at a time. Another one runs with the bundled document, without storing.
public struct BehaviorStorage: Sendable, Hashable {
    /// The end that a mark must survive.
    public enum Durability: Sendable, Hashable {
        /// The end of the process: the write ends in the system's memory.
        case process
        /// The end of the system, such as a power cut: each write waits for the device.
        case system
    }

    /// The path of the folder, which the client creates.
    public var folder: String
    /// The durability of the mark, which each call of a function writes.
    public var durability: Durability

    /// Creates a description of a storage; ``BehaviorClient/start()`` opens it.
    public init(folder: String, durability: Durability = .process) {
        self.folder = folder
        self.durability = durability
    }
}

/// The storage can't be used; the client continues without it.
struct StorageError: Error, CustomStringConvertible {
    let description: String
}
