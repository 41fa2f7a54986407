import Foundation
import Glibc
import Plugboard
import Testing

@Suite("Gzip-coded files")
struct PublicFilesTests {
    private let folder: TemporaryFolder
    private let server: Server
    private let text = String(repeating: "So it goes. ", count: 500)
    private let gzip = ("Accept-Encoding", "gzip")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("text.txt", text)
        // Not of the second in which it is asked for, when an answer's date may be the earlier one.
        try folder.date("text.txt", secondsAgo: 60)
        var server = Server()
        server.configuration.publicFolder = folder.path
        self.server = server
    }

    private func write(_ name: String, _ bytes: [UInt8], at seconds: Int) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder[name]))
        var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
        #expect(utimes(folder[name], &times) == 0)
    }

    @Test("a client that accepts gzip gets text gzip-coded, with its own tag (RFC 9110 §8.8.3.3)")
    func coded() async throws {
        try await serving(server) { site in
            let plain = try await site.get("/text.txt")
            // The first is compressed for, the second isn't.
            for _ in 0..<2 {
                let coded = try await site.get("/text.txt", gzip)
                #expect(coded.status == 200)
                #expect(coded["Content-Encoding"] == "gzip")
                #expect(try coded.content == text)
                #expect(coded.mediaType == "text/plain; charset=utf-8")
                let tag = try #require(plain["ETag"])
                #expect(coded["ETag"] == "\(tag.dropLast())-gzip\"")
                #expect(coded["Last-Modified"] == plain["Last-Modified"])
                #expect(coded["Accept-Ranges"] == nil)
                #expect(coded["X-Content-Type-Options"] == "nosniff")
            }
            #expect(plain["Content-Encoding"] == nil)
            #expect(plain.text == text)
            let head = try await site.send("HEAD", "/text.txt", fields: [gzip])
            let full = try await site.get("/text.txt", gzip)
            #expect(head["Content-Length"] == full["Content-Length"])
            #expect(head["Content-Encoding"] == "gzip")
        }
    }

    @Test("other spellings of the document's path return the document too (RFC 3986 §6.2.2.2)")
    func documentFile() async throws {
        let rule = #"[{"name":"A","actions":[{"func":"b","when":false},{"func":"c"}]}]"#
        try folder.write("behaviors.json", rule)
        var configuration = Server.Configuration()
        configuration.publicFolder = folder.path
        let server = Server(
            behaviors: .file(folder["behaviors.json"]),
            configuration: configuration
        )
        try await serving(server) { site in
            let document = try await site.get("/behaviors.json")
            #expect(!document.text.contains("when"))
            for path in ["/%62ehaviors.json", "/behaviors%2ejson", "/behaviors%2Ejson?a=b"] {
                #expect(try await site.get(path).text == document.text, "\(path)")
            }
        }
    }

    @Test("an inapplicable Range has no effect (RFC 9110 §14.2)")
    func ignoredRange() async throws {
        try await serving(server) { site in
            for (method, range) in [("HEAD", "bytes=0-1"), ("GET", "lines=0-1"), ("HEAD", "x")] {
                let fields = [gzip, ("Range", range)]
                let answer = try await site.send(method, "/text.txt", fields: fields)
                let plain = try await site.send(method, "/text.txt", fields: [gzip])
                #expect(answer.status == 200)
                for name in ["Content-Encoding", "Content-Length", "ETag"] {
                    #expect(answer[name] != nil && answer[name] == plain[name], "\(range): \(name)")
                }
            }
        }
    }

    @Test("only responses with compressible files have Vary (RFC 9110 §12.5.5)")
    func vary() async throws {
        try folder.write("image.png", text)
        try await serving(server) { site in
            for fields in [[], [gzip], [("Range", "bytes=0-3")], [("If-None-Match", "*")]] {
                let answer = try await site.send("GET", "/text.txt", fields: fields)
                #expect(answer["Vary"] == "Accept-Encoding", "\(fields)")
            }
            let image = try await site.get("/image.png", gzip)
            #expect(image["Content-Encoding"] == nil && image["Vary"] == nil)
            #expect(image.text == text)
        }
    }

    @Test("a tag applies to the selected representation (RFC 9110 §13.1.1, §13.1.2)")
    func preconditions() async throws {
        try await serving(server) { site in
            let plain = try #require(try await site.get("/text.txt")["ETag"])
            let coded = try #require(try await site.get("/text.txt", gzip)["ETag"])
            for (name, tag, status) in [
                ("If-None-Match", coded, 304), ("If-None-Match", plain, 200),
                ("If-None-Match", "\(plain), \(coded)", 304), ("If-Match", coded, 200),
                ("If-Match", plain, 412),
            ] {
                let answer = try await site.get("/text.txt", gzip, (name, tag))
                #expect(answer.status == status, "\(name): \(tag)")
                if status == 304 { #expect(answer["ETag"] == coded && answer.body.isEmpty) }
            }
            #expect(try await site.get("/text.txt", ("If-None-Match", coded)).status == 200)
        }
    }

    @Test("preconditions of the first request are evaluated before the file is compressed")
    func firstPreconditions() async throws {
        let tag = try await first { try await $0.get("/text.txt", gzip)["ETag"] ?? "" }
        let same = try await first { site in
            try await site.get("/text.txt", gzip, ("If-None-Match", tag)).status
        }
        #expect(same == 304)
        let failed = try await first { site in
            try await site.get("/text.txt", gzip, ("If-Match", "\"x\"")).status
        }
        #expect(failed == 412)
    }

    /// The result of a server's first request.
    private func first<Value: Sendable>(_ ask: (Site) async throws -> Value) async throws -> Value {
        var value: Value?
        try await serving(server) { value = try await ask($0) }
        return try #require(value)
    }

    @Test("a file that changes is compressed again")
    func changed() async throws {
        try await serving(server) { site in
            let before = try await site.get("/text.txt", gzip)
            let other = String(repeating: "Poo-tee-weet? ", count: 300)
            try folder.write("text.txt", other)
            let after = try await site.get("/text.txt", gzip)
            #expect(try after.content == other)
            #expect(after["ETag"] != before["ETag"])
        }
    }

    @Test("small, large and incompressible files are sent uncompressed")
    func notCoded() async throws {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<4000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try write("noise.txt", noise, at: 1_000_000_000)
        try folder.write("small.txt", "So it goes.")
        try folder.write("large.txt", String(repeating: "0123456789abcdef", count: 65_537))
        try await serving(server) { site in
            for name in ["noise.txt", "small.txt", "large.txt", "noise.txt"] {
                let answer = try await site.get("/\(name)", gzip)
                #expect(answer.status == 200)
                #expect(answer["Content-Encoding"] == nil, "\(name)")
                #expect(answer["Vary"] == "Accept-Encoding", "\(name)")
                #expect(answer["Accept-Ranges"] == "bytes", "\(name)")
            }
            #expect(try await site.get("/noise.txt", gzip).body == noise)
        }
    }

    @Test("a .gz of any size beside the file is sent, unless it is older than the file")
    func beside() async throws {
        let other = try gzipped(("compressed with care " + text).utf8)
        try write("text.txt", Array(text.utf8), at: 1_600_000_000)
        try write("text.txt.gz", other, at: 1_600_000_000)
        try await serving(server) { site in
            let answer = try await site.get("/text.txt", gzip)
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer.body == other)
            #expect(answer.mediaType == "text/plain; charset=utf-8")
            let plain = try await site.get("/text.txt")
            #expect(plain.text == text)
            #expect(plain["ETag"] != answer["ETag"])
            let tag = ("If-None-Match", try #require(answer["ETag"]))
            #expect(try await site.get("/text.txt", gzip, tag).status == 304)
            // By itself it is an archive, and not coded.
            let archive = try await site.get("/text.txt.gz", gzip)
            #expect(archive.mediaType == "application/gzip")
            #expect(archive["Content-Encoding"] == nil)
            #expect(archive.body == other)

            try write("text.txt.gz", other, at: 1_599_999_999)
            let older = try await site.get("/text.txt", gzip)
            #expect(try older.content == text)
            try write("text.txt.gz", gzipped(text.utf8), at: 1_600_000_001)
            let newer = try await site.get("/text.txt", gzip)
            #expect(try newer.content == text)
            #expect(newer["ETag"] != older["ETag"])
        }
    }

    @Test("a .gz that links outside the folder, or is a folder, isn't sent")
    func besideOutside() async throws {
        let outside = try TemporaryFolder()
        try outside.write("secret.gz", "secret")
        try folder.link("text.txt.gz", to: outside["secret.gz"])
        try folder.write("other.txt", text)
        try FileManager.default.createDirectory(
            atPath: folder["other.txt.gz"],
            withIntermediateDirectories: false
        )
        try await serving(server) { (site) async throws in
            #expect(try await site.get("/text.txt", gzip).content == text)
            #expect(try await site.get("/other.txt", gzip).content == text)
        }
    }

    @Test("ranges apply to the plain file, whatever the client accepts (RFC 9110 §14.2)")
    func ranges() async throws {
        try await serving(server) { site in
            let plain = try #require(try await site.get("/text.txt")["ETag"])
            let coded = try #require(try await site.get("/text.txt", gzip)["ETag"])
            let range = ("Range", "bytes=3-4")
            let part = try await site.get("/text.txt", gzip, range)
            #expect(part.status == 206)
            #expect(part.text == "it")
            #expect(part["ETag"] == plain)
            #expect(part["Content-Encoding"] == nil)
            let same = try await site.get("/text.txt", gzip, range, ("If-Range", plain))
            #expect(same.status == 206)
            // What the client has is the coded form: it gets the whole (§13.1.5).
            let other = try await site.get("/text.txt", gzip, range, ("If-Range", coded))
            #expect(other.status == 200)
            #expect(other["ETag"] == coded)
            #expect(try other.content == text)
        }
    }

    @Test(
        "Range is evaluated after the preconditions of both codings (RFC 9110 §14.2, §13.2.2)",
        arguments: [false, true]
    )
    func rangesBehindPreconditions(isBeside: Bool) async throws {
        if isBeside {
            try Data(gzipped(text.utf8)).write(to: URL(fileURLWithPath: folder["text.txt.gz"]))
        }
        try await serving(server) { site in
            let plain = try #require(try await site.get("/text.txt")["ETag"])
            let coded = try #require(try await site.get("/text.txt", gzip)["ETag"])
            #expect(plain != coded)
            for range in ["bytes=3-4", "bytes=99999-"] {
                let proceeds = range == "bytes=3-4" ? 206 : 416
                for (condition, status) in [
                    (("If-None-Match", coded), 304), (("If-None-Match", plain), proceeds),
                    (("If-Match", coded), proceeds), (("If-Match", plain), proceeds),
                    (("If-Match", "\"other\""), 412),
                ] {
                    let answer = try await site.get("/text.txt", gzip, ("Range", range), condition)
                    #expect(answer.status == status, "\(range) \(condition)")
                    if status == 304 { #expect(answer["ETag"] == coded) }
                }
            }
        }
    }

    @Test("ranges don't wait for compression, unless a precondition needs the compressed tag")
    func rangesFirst() async throws {
        try await serving(server) { site in
            let range = ("Range", "bytes=3-4")
            let first = try await site.get("/text.txt", gzip, range)
            #expect(first.status == 206)
            let plain = try #require(first["ETag"])
            let coded = "\(plain.dropLast())-gzip\""
            try folder.write("other.txt", text)
            let known = try await site.get("/text.txt", gzip, range, ("If-None-Match", coded))
            #expect(known.status == 304)
        }
    }

    @Test("concurrent first requests all get the complete file, plain or compressed")
    func crowd() async throws {
        for number in 0..<8 { try folder.write("\(number).txt", "\(number)" + text) }
        try await serving(server) { site in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let answer = try await site.get("/\(number % 8).txt", gzip)
                        #expect(try answer.content == "\(number % 8)" + text)
                    }
                }
                try await group.waitForAll()
            }
            for number in 0..<8 {
                let answer = try await site.get("/\(number).txt", gzip)
                #expect(answer["Content-Encoding"] == "gzip")
            }
        }
    }

    @Test("a file with a hash in its name is cached for a year, in both codings")
    func immutable() async throws {
        try folder.write("app.3f2a9c1b.js", text)
        try await serving(server) { site in
            for accept in [gzip, ("X", "y")] {
                let answer = try await site.get("/app.3f2a9c1b.js", accept)
                #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
                let tag = ("If-None-Match", try #require(answer["ETag"]))
                let short = try await site.get("/app.3f2a9c1b.js", accept, tag)
                #expect(short.status == 304)
                #expect(short["Cache-Control"] == "public, max-age=31536000, immutable")
            }
            #expect(try await site.get("/text.txt", gzip)["Cache-Control"] == "no-cache")
        }
    }
}
