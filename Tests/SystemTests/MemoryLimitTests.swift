import Foundation
import System
import Testing

/// The files of cgroups(7).
@Suite("The memory limit of a control group")
struct MemoryLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func group(_ path: String, _ file: String, _ limit: String) throws {
        let group = folder.path + "/" + path
        try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
        try folder.write(limit + "\n", to: "\(path)/\(file)")
    }

    private func limit(_ membership: String) throws -> Int? {
        try MemoryLimit.current(
            membership: folder.write(membership, to: "membership"),
            root: folder.path
        )
    }

    @Test("version 2: memory.max of the group, or a lower one of a parent group")
    func version2() throws {
        try group("pod", "memory.max", "67108864")
        try group("pod/server", "memory.max", "max")
        #expect(try limit("0::/pod/server\n") == 67_108_864)
        try group("pod/server", "memory.max", "1048576")
        #expect(try limit("0::/pod/server\n") == 1_048_576)
    }

    @Test("version 2 in a container: its group is the root")
    func namespace() throws {
        try folder.write("67108864\n", to: "memory.max")
        #expect(try limit("0::/\n") == 67_108_864)
        #expect(try limit("0::/../../other\n") == 67_108_864)
    }

    @Test("version 1: memory.limit_in_bytes of the memory controller")
    func version1() throws {
        try group("memory/server", "memory.limit_in_bytes", "67108864")
        try group("memory", "memory.limit_in_bytes", "9223372036854771712")
        #expect(try limit("5:cpu,cpuacct:/x\n4:memory:/server\n0::/\n") == 67_108_864)
        #expect(try limit("4:hugetlb,memory:/server\n") == 67_108_864)
    }

    @Test("version 1 in a container: the path is the host's, and the group is the root")
    func hostPath() throws {
        try group("memory", "memory.limit_in_bytes", "67108864")
        #expect(try limit("4:memory:/docker/0123\n") == 67_108_864)
    }

    @Test("max, the largest number, no file and unknown texts mean no limit")
    func none() throws {
        #expect(try limit("0::/nowhere\n") == nil)
        for text in ["max", "", "x", "-1", "0", "9223372036854775807", "99999999999999999999"] {
            try group("g", "memory.max", text)
            #expect(try limit("0::/g\n") == nil, "\(text)")
        }
        for text in ["", "\n", "0", "0::", "::", "4:memory"] {
            #expect(try limit(text) == nil, "\(text)")
        }
        #expect(MemoryLimit.current(membership: folder.path + "/nothing", root: "/") == nil)
    }
}
