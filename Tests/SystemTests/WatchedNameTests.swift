import Glibc
import Testing

@testable import System

@Suite("Watched names of a path")
struct WatchedNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ path: String) -> [String] {
        WatchedName.all(of: folder.path + "/" + path).map { watched in
            let place = watched.folder + "/" + watched.name
            #expect(place.hasPrefix(folder.path))
            return String(place.dropFirst(folder.path.count + 1))
        }
    }

    private func link(_ target: String, _ name: String) throws {
        try #require(symlink(target, folder.path + "/" + name) == 0)
    }

    private func make(_ name: String) throws {
        try #require(mkdir(folder.path + "/" + name, 0o755) == 0)
    }

    @Test("a plain path has its last name, even if that is missing")
    func plain() throws {
        try folder.write("")
        #expect(names("a") == ["a"])
        #expect(names("b") == ["b"])
        #expect(names("./a") == ["a"])
        try make("releases")
        #expect(names("releases/a") == ["releases/a"])
        #expect(names("releases/../a") == ["releases/../a"])
    }

    @Test("a missing folder is the last watched name")
    func missing() {
        #expect(names("no/such/file") == ["no"])
    }

    @Test("each link on the path is watched, and its target's names")
    func links() throws {
        try make("releases")
        try make("releases/42")
        try link("releases/42", "current")
        #expect(names("current/index.html") == ["current", "releases/42/index.html"])
        try link("../current/index.html", "releases/front")
        #expect(
            names("releases/front")
                == ["releases/front", "releases/../current", "releases/../releases/42/index.html"]
        )
        try link(folder.path + "/releases", "absolute")
        #expect(names("absolute/42/x") == ["absolute", "releases/42/x"])
    }

    @Test("a Kubernetes volume's ..data is watched")
    func volume() throws {
        try make("..2026")
        try link("..2026", "..data")
        try link("..data/behaviors.json", "behaviors.json")
        #expect(names("behaviors.json") == ["behaviors.json", "..data", "..2026/behaviors.json"])
    }

    @Test("circular links end")
    func circle() throws {
        try link("b", "a")
        try link("a", "b")
        #expect(names("a").count == 41)
    }
}
