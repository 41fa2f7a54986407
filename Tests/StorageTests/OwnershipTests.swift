import Foundation
import Glibc
import GRDB
import Storage
import Testing

@Suite("Owner and mode of a data folder's files")
final class OwnershipTests {
    private let place = NSTemporaryDirectory() + "plugboard-owner-\(UUID().uuidString)"
    private var folder: String { place + "/data" }
    private static let notes = Schema("notes", sql: "CREATE TABLE note (text TEXT NOT NULL)")
    private static let service: uid_t = 65_534

    init() throws { try #require(mkdir(place, 0o755) == 0) }

    deinit { try? FileManager.default.removeItem(atPath: place) }

    private func add(to storage: Storage) async throws {
        try await storage.write(Self.notes) { try $0.execute(sql: "INSERT INTO note VALUES ('a')") }
    }

    private func status(_ path: String) throws -> stat {
        var info = stat()
        try #require(stat(path, &info) == 0, "\(path)")
        return info
    }

    @Test("only the owner can access a new folder and its files")
    func mode() async throws {
        try await add(to: Storage.of(folder))
        #expect(try status(folder).st_mode & 0o777 == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(try status(folder + "/" + name).st_mode & 0o077 == 0, "\(name)")
        }
    }

    @Test("an existing folder retains its mode")
    func existing() async throws {
        try #require(mkdir(folder, 0o750) == 0)
        try await add(to: Storage.of(folder))
        #expect(try status(folder).st_mode & 0o777 == 0o750)
    }

    @Test(
        "group 0 can use the files if it can write the folder and others can't read it",
        .enabled(if: getegid() == 0),
        arguments: [
            (0o2770, 0o660), (0o770, 0o660), (0o775, 0o600), (0o777, 0o600), (0o750, 0o600),
            (0o700, 0o600),
        ] as [(mode_t, mode_t)]
    )
    func group(folderMode: mode_t, fileMode: mode_t) async throws {
        try #require(mkdir(folder, 0o700) == 0 && chmod(folder, folderMode) == 0)
        let storage = Storage.of(folder)
        try await add(to: storage)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains("plugboard.sqlite-wal") && names.contains("plugboard.sqlite-shm"))
        for name in names {
            #expect(try status(folder + "/" + name).st_mode & 0o777 == fileMode, "\(name)")
        }
        #expect(try status(folder).st_mode & 0o7777 == folderMode)
        withExtendedLifetime(storage) {}
    }

    @Test("a new data folder is its owner's, also in a folder of group 0")
    func groupFolder() async throws {
        try #require(chmod(place, 0o2770) == 0)
        let storage = Storage.of(folder)
        try await add(to: storage)
        #expect(try status(folder).st_mode & 0o777 == 0o700)
        #expect(try status(storage.path).st_mode & 0o777 == 0o600)
    }

    @Test(
        "files that root creates belong to the folder's owner",
        .enabled(if: geteuid() == 0, "only root can give files away"),
        arguments: [true, false]
    )
    func owner(isFolderThere: Bool) async throws {
        if isFolderThere { try #require(mkdir(folder, 0o700) == 0) }
        try #require(chown(isFolderThere ? folder : place, Self.service, 0) == 0)
        let storage = Storage.of(folder)
        try await add(to: storage)
        #expect(try status(folder).st_uid == Self.service)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains("plugboard.sqlite-wal"))
        for name in names { #expect(try status(folder + "/" + name).st_uid == Self.service) }
        withExtendedLifetime(storage) {}
    }
}
