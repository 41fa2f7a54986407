import Foundation
import Testing

@testable import PlugboardCommand

@Suite("The command new")
struct CreatePackageTests {
    private let folder: TemporaryFolder
    /// The folder of this checkout.
    private let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    init() throws { folder = try TemporaryFolder() }

    @Test("targets have the name in Swift's form, and no placeholder remains")
    func names() throws {
        let package = try NewPackage(
            name: "photo-likes2",
            dependency: PlugboardDependency(checkout)
        )
        #expect(package.module == "PhotoLikes2")
        for file in package.files {
            #expect(!(file.path + file.text).contains("{{"), "\(file.path)")
        }
    }

    @Test(
        "a name that can't be a product or target is rejected",
        arguments: [
            "", "-", "a-", "-a", "a--b", "Notes", "1a", "a b", "a/b", "..", "a.b", "é", "a\n",
            "a_b",
            String(repeating: "a", count: 51), "plugboard", "photos", "orders",
        ]
    )
    func invalidNames(_ name: String) throws {
        let dependency = try PlugboardDependency(checkout)
        #expect(throws: Failure.self) { try NewPackage(name: name, dependency: dependency) }
    }

    @Test("names of up to 50 characters are accepted", arguments: ["a", "a1", "a-1", "notes"])
    func validNames(_ name: String) throws {
        let dependency = try PlugboardDependency(checkout)
        #expect(try NewPackage(name: name, dependency: dependency).name == name)
        _ = try NewPackage(name: String(repeating: "a", count: 50), dependency: dependency)
    }

    @Test(
        "the last part of a URL is the package's name",
        arguments: [
            "https://example.com/plugboard", "https://example.com/a/plugboard.git",
            "git@example.com:plugboard.git", "file:///srv/plugboard",
            "ssh://git@example.com/plugboard/",
        ]
    )
    func urls(_ url: String) throws {
        let dependency = try PlugboardDependency(url)
        #expect(dependency.package == "plugboard")
        #expect(dependency.folder == nil)
        #expect(dependency.manifestLine == #".package(url: "\#(url)", branch: "main")"#)
    }

    @Test(
        "a folder without Plugboard and a text that would break the manifest are rejected",
        arguments: [
            "", "/", "missing", "https://example.com/\"", "https://example.com/a\nb",
            "https://example.com/\\(1)",
        ]
    )
    func invalidDependencies(_ place: String) {
        #expect(throws: Failure.self) { try PlugboardDependency(place) }
    }

    @Test("a missing folder is created and filled; a folder with files stays unchanged")
    func folders() throws {
        let package = try NewPackage(name: "notes", dependency: PlugboardDependency(checkout))
        #expect(try package.write(to: folder["missing/notes"]).contains("Package.swift"))
        let path = folder["missing/notes"]
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        #expect(throws: Failure.self) { try package.write(to: path) }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: path).sorted() == names)
        let file = try folder.write("file", "")
        #expect(throws: Failure.self) { try package.write(to: file) }
    }
}
