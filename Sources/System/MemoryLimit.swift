/// The memory limit of the process's control group, which containers and services have.
package enum MemoryLimit {
    /// Returns the lowest limit in bytes of the group and the groups around it.
    ///
    /// It reads `memory.max` of version 2, and `memory.limit_in_bytes` of version 1.
    ///
    /// - Parameters:
    ///   - membership: the file with the process's groups, see cgroups(7).
    ///   - root: the folder of the groups.
    /// - Returns: the limit; nil for none.
    package static func current(
        membership: String = "/proc/self/cgroup",
        root: String = "/sys/fs/cgroup"
    ) -> Int? {
        guard let groups = text(membership) else { return nil }
        let limits = groups.split(separator: "\n").compactMap { group -> Int? in
            // hierarchy:controllers:path
            let fields = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            if fields[1].isEmpty { return lowest(root, path: fields[2], "memory.max") }
            guard fields[1].split(separator: ",").contains("memory") else { return nil }
            return lowest(root + "/memory", path: fields[2], "memory.limit_in_bytes")
        }
        return limits.min()
    }

    /// Returns the lowest limit of a path and its parents.
    ///
    /// A container may see the path of its host. Its own group is then at the root.
    private static func lowest(_ root: String, path: Substring, _ file: String) -> Int? {
        var names = path.split(separator: "/").filter { $0 != ".." }
        var lowest: Int?
        while true {
            let folder = ([root] + names.map(String.init)).joined(separator: "/")
            if let limit = limit("\(folder)/\(file)") { lowest = min(limit, lowest ?? limit) }
            if names.popLast() == nil { return lowest }
        }
    }

    private static func limit(_ path: String) -> Int? {
        guard let text = text(path), let limit = Int(text.prefix { $0 != "\n" }) else { return nil }
        // Version 1 has no word for no limit: it has the largest number of whole pages.
        return (1..<Int.max / 2).contains(limit) ? limit : nil
    }

    private static func text(_ path: String) -> String? {
        (try? FileBytes.read(path, limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
    }
}
