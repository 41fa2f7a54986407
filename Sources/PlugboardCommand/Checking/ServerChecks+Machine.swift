import Glibc
import HTTPServer
import Plugboard
import System

extension ServerChecks {
    // MARK: Descriptors

    /// Checks the limit of descriptors against the connections.
    var descriptors: Finding {
        Self.descriptors(limit: Descriptors.limit, connections: configuration.connections)
    }

    /// Returns the result of a limit.
    ///
    /// A slightly lower limit needs no warning, as at a server's start.
    static func descriptors(limit: Int, connections: Int) -> Finding {
        let places = Descriptors.places(for: connections, of: limit)
        guard places < connections / 2 else {
            return .ok("descriptors", "\(limit) allow \(counted(places, "connection"))")
        }
        // Raised until it suffices: connections get a fixed share, less a minimum for the rest.
        var needed = connections + connections * 3 / 13
        while Descriptors.places(for: connections, of: needed) < connections { needed += 1 }
        return .warning(
            "descriptors",
            "\(limit) allow \(counted(places, "connection")), not --connections \(connections)",
            do: "Set LimitNOFILE= or ulimit -n to \(needed), or lower --connections."
        )
    }

    // MARK: Memory

    /// Checks the memory limit against the budgets.
    var memory: Finding {
        let limit = MemoryLimit.current()
        return Self.memory(
            limit: limit,
            machine: max(0, sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))),
            bodies: configuration.http.bodyBudget,
            responses: configuration.http.outputBudget
        )
    }

    /// Returns the result of a memory limit; nil for none.
    ///
    /// Large bodies are in memory twice while they are decoded.
    static func memory(limit: Int?, machine: Int, bodies: Int, responses: Int) -> Finding {
        let most = 2 * bodies + responses
        let total = limit ?? machine
        let budgets =
            "\(ByteCount.text(bodies)) for bodies, \(ByteCount.text(responses)) for responses"
        let place =
            limit.map { "the limit is \(ByteCount.text($0))" }
            ?? "no limit, \(ByteCount.text(machine)) on this machine"
        guard most > total / 4 * 3 else { return .ok("memory", "\(place); \(budgets)") }
        return .warning(
            "memory",
            "\(place), and the budgets may take \(ByteCount.text(most)): \(budgets)",
            do: "Set --body-budget to at most \(total / 4), or raise the memory limit."
        )
    }

    // MARK: Disk

    /// Checks the file systems of the folders in which the server writes.
    var disks: [Finding] {
        var places = [configuration.dataFolder].compactMap(\.self)
        if case .folder(let folder) = configuration.documents { places.append(folder) }
        if let head = configuration.auditHead { places.append(Paths.parent(of: head.path)) }
        var seen: Set<UInt64?> = []
        return places.compactMap { place in
            let isNew = seen.insert(FileIdentity(place)?.device).inserted
            guard isNew else { return nil }
            do throws(SystemError) {
                return Self.disk(place, try DiskSpace(of: place))
            } catch {
                return .error("disk", "\(error)", do: "Choose another folder.")
            }
        }
    }

    /// The free space below which a server can't work, in bytes.
    private static let leastSpace = 16 << 20
    /// The free space that suffices on any file system, in bytes.
    private static let ampleSpace = 1 << 30
    /// The number of free files that suffices.
    private static let ampleFiles = 1_000

    /// Returns the result of a folder's file system.
    static func disk(_ folder: String, _ space: DiskSpace) -> Finding {
        let free = ByteCount.text(space.free)
        if space.isReadOnly {
            return .error(
                "disk",
                "\(folder) is on a read-only file system",
                do: "Mount a volume there, or choose another folder."
            )
        }
        let remedy = "Delete what isn't needed, or enlarge the file system."
        if space.free < leastSpace {
            return .error("disk", "\(folder) has only \(free) left", do: remedy)
        }
        if let files = space.freeFiles, files < ampleFiles {
            let text = "\(folder) has only \(files) free inodes"
            return files == 0
                ? .error("disk", text, do: remedy) : .warning("disk", text, do: remedy)
        }
        let share = space.total > 0 ? space.free * 100 / space.total : 100
        let text = "\(folder) has \(free) left of \(ByteCount.text(space.total)) (\(share) %)"
        guard share < 10, space.free < ampleSpace else { return .ok("disk", text) }
        return .warning("disk", text, do: remedy)
    }

    /// Checks that a file can be written in its folder.
    static func writable(_ check: String, file: String) -> Finding {
        let folder = Paths.parent(of: file)
        guard let problem = FileAccess.problem(of: file) ?? FileAccess.problem(ofFolder: folder)
        else { return .ok(check, "\(file) is writable") }
        return .error(check, problem)
    }
}
