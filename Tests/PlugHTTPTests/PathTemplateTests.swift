import HTTPTypes
import JSONCodec
import PlugHTTP
import Testing

@Suite("PathTemplate")
struct PathTemplateTests {
    @Test("a template consists of literals and captures")
    func parse() throws {
        let template = try PathTemplate("/photos/{id}/like")
        #expect(template.segments == [.literal("photos"), .capture("id"), .literal("like")])
        #expect(template.names == ["id"])
        #expect(template.staticPath == nil)
        #expect(template.description == "/photos/{id}/like")
    }

    @Test("a template without captures has a static path")
    func staticPath() throws {
        #expect(try PathTemplate("/").staticPath == "/")
        #expect(try PathTemplate("/behaviors.json").staticPath == "/behaviors.json")
        #expect(try PathTemplate("/größe").staticPath == "/gr%C3%B6%C3%9Fe")
    }

    @Test(
        "an invalid template is rejected with the reason",
        arguments: [
            ("", "must start"), ("photos", "must start"), ("/photos/", "empty segment"),
            ("//photos", "empty segment"), ("/{}", "in braces"), ("/{a b}", "in braces"),
            ("/{a.b}", "in braces"), ("/p{id}", "whole segment"), ("/{id}.json", "whole segment"),
            ("/{id", "whole segment"), ("/id}", "whole segment"), ("/{a}/{a}", "twice"),
            ("/a?b=c", "query"), ("/a#b", "fragment"), ("/a b", "as they are"),
            ("/a%20b", "as they are"), ("/a\u{0}", "as they are"), ("/..", "resolved away"),
            ("/a/./b", "resolved away"),
            // A mark that combines with it makes another Character of a brace, and not of its byte.
            ("/{\u{301}a}", "in braces"), ("/a{\u{301}", "whole segment"),
            ("/a?\u{301}", "query"),
        ]
    )
    func invalid(text: String, reason: String) {
        let error = #expect(throws: PathTemplate.Invalid.self) { try PathTemplate(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(
        "a path's captures are percent-decoded",
        arguments: [
            ("/photos/42/like", [TextMember.path("id", "42")]),
            ("/photos/a%20b/like", [.path("id", "a b")]),
            ("/photos/a+b/like", [.path("id", "a+b")]),
            ("/photos/a%2Fb/like", [.path("id", "a/b")]),
            ("/photos/%E2%82%AC/like", [.path("id", "€")]),
            ("/photos/%2e%2E/like", [.path("id", "..")]),
            ("/ph%6Ftos/42/like", [.path("id", "42")]),
        ]
    )
    func captures(path: String, members: [TextMember]) throws {
        #expect(try PathTemplate("/photos/{id}/like").captures(inText: path) == members)
    }

    @Test(
        "a different path doesn't match",
        arguments: [
            "", "/", "/photos", "/photos/42", "/photos/42/", "/photos//like", "/photos/42/like/",
            "/photos/42/likes", "/photos/42/like/x", "photos/42/like", "/Photos/42/like",
            "//photos/42/like", "/photos/42%2Flike", "/ph%ZZtos/42/like", "*",
        ]
    )
    func noMatch(path: String) throws {
        #expect(try PathTemplate("/photos/{id}/like").captures(inText: path) == nil)
    }

    @Test(
        "a value that isn't percent-encoded UTF-8 is an error",
        arguments: ["%", "%4", "%zz", "%C3", "%C3%28", "%ED%A0%80", "%00", "a%00b", "%+1"]
    )
    func malformed(value: String) throws {
        let template = try PathTemplate("/photos/{id}/like")
        let error = #expect(throws: MalformedTarget.self) {
            try template.captures(inText: "/photos/\(value)/like")
        }
        #expect(error?.problem.status == .badRequest)
        #expect(error?.description.contains("id") == true)
        #expect(try template.captures(inText: "/photos/\(value)/other") == nil)
    }

    @Test("raw bytes that aren't UTF-8 are an error, too")
    func rawBytes() throws {
        let template = try PathTemplate("/{id}")
        #expect(throws: MalformedTarget.self) { try template.captures(inBytes: [0x2F, 0xFF]) }
        #expect(try template.captures(inBytes: [0x2F, 0xC3, 0xA9]) == [.path("id", "é")])
    }

    @Test("the root matches only the root")
    func root() throws {
        #expect(try PathTemplate("/").captures(inText: "/") == [])
        #expect(try PathTemplate("/").captures(inText: "/a") == nil)
        #expect(try PathTemplate("/{id}").captures(inText: "/") == nil)
    }

    @Test("filling percent-encodes all characters except unreserved ones")
    func fill() throws {
        let template = try PathTemplate("/photos/{id}/of/{user}")
        let path = try template.path { ["id": "a/b c%?", "user": "Zoë-1_2.3~"][$0] }
        #expect(path == "/photos/a%2Fb%20c%25%3F/of/Zo%C3%AB-1_2.3~")
        #expect(try PathTemplate("/").path { _ in nil } == "/")
    }

    @Test(
        "filling and matching are inverse",
        arguments: ["42", "a/b", "%2F", "€ ö", "+", "...", "?#"]
    )
    func inverse(value: String) throws {
        let template = try PathTemplate("/a/{v}/b")
        let path = try template.path { _ in value }
        #expect(try template.captures(inText: path) == [.path("v", value)])
    }

    @Test("a value that can't be a segment is rejected", arguments: ["", ".", "..", "a\u{0}", nil])
    func unfillable(value: String?) throws {
        let template = try PathTemplate("/a/{v}")
        let error = #expect(throws: PathTemplate.PathValueError.self) {
            try template.path { _ in value }
        }
        #expect(error?.description.contains("{v}") == true)
    }

    @Test("templates conflict when they match the same paths")
    func conflicts() throws {
        let photo = try PathTemplate("/photos/{id}")
        #expect(photo.conflicts(with: try PathTemplate("/photos/{name}")))
        #expect(!photo.conflicts(with: try PathTemplate("/photos/new")))
        #expect(!photo.conflicts(with: try PathTemplate("/photos/{id}/like")))
        #expect(!photo.conflicts(with: try PathTemplate("/users/{id}")))
        #expect(photo.conflicts(with: photo))
    }

    @Test("paths that look the same but differ in bytes are different (RFC 3986 §6.2.2)")
    func bytes() throws {
        let composed = try PathTemplate("/caf\u{E9}")
        let decomposed = try PathTemplate("/cafe\u{301}")
        #expect(!composed.conflicts(with: decomposed))
        #expect(composed.conflicts(with: try PathTemplate("/caf\u{E9}")))
        #expect(try composed.captures(inText: "/cafe%CC%81") == nil)
        #expect(try decomposed.captures(inText: "/cafe%CC%81") == [])
    }

    @Test("more specific templates are sorted first")
    func order() throws {
        let sorted = [
            "/", "/photos/new/like", "/photos/new", "/photos/{id}/like", "/photos/{id}",
            "/{any}/new", "/{any}/{id}",
        ]
        let templates = try sorted.map { try PathTemplate($0) }
        for (index, template) in templates.enumerated() {
            #expect(!template.precedes(template))
            for other in templates[(index + 1)...] {
                let bothMatch = template.segments.count == other.segments.count
                guard bothMatch else { continue }
                #expect(template.precedes(other), "\(template) before \(other)")
                #expect(!other.precedes(template), "\(other) not before \(template)")
            }
        }
    }
}
