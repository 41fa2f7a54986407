import HTTPServer
import HTTPSyntax
import Testing

@testable import Plugboard

@Suite("The requests of a server's own pages")
struct OwnPageTests {
    private func isOwn(
        _ method: String,
        _ fields: [String],
        host: String = "localhost:8080"
    ) throws
        -> Bool
    {
        let lines = ["\(method) /x HTTP/1.1", "Host: \(host)"] + fields
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let parser = RequestParser(limits: HeadLimits())
        return try request.withUnsafeBufferPointer { bytes in
            guard case .complete = parser.parse(bytes) else { throw HarnessError("no head") }
            return ServerRequest(parser.headPlace.pointee, from: .unknown).isOfOwnPage
        }
    }

    private static let methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
    private static let safe = ["GET", "HEAD", "OPTIONS"]

    @Test("the browser's own statement decides", arguments: methods)
    func site(method: String) throws {
        #expect(try isOwn(method, ["Sec-Fetch-Site: same-origin"]))
        #expect(try isOwn(method, ["Sec-Fetch-Site: none"]) == Self.safe.contains(method))
        for other in ["same-site", "cross-site", "", "Same-Origin", "same-origin, none"] {
            #expect(try !isOwn(method, ["Sec-Fetch-Site: \(other)"]), "\(other)")
            let origin = "Origin: http://localhost:8080"
            #expect(try !isOwn(method, ["Sec-Fetch-Site: \(other)", origin]), "\(other)")
        }
    }

    @Test("without it the origin has to be the server's: scheme, host and port", arguments: methods)
    func origin(method: String) throws {
        #expect(try isOwn(method, ["Origin: http://localhost:8080"]))
        #expect(try isOwn(method, ["Origin: http://LOCALHOST:8080"]))
        #expect(try isOwn(method, ["Origin: http://app.example"], host: "app.example:80"))
        for other in [
            "null", "", "http://localhost", "http://localhost:3000", "https://localhost:8080",
            "http://127.0.0.1:8080", "http://localhost:8080.evil.example",
            "http://localhost:8080/", "http://evil.example?http://localhost:8080", "localhost:8080",
        ] {
            #expect(try !isOwn(method, ["Origin: \(other)"]), "\(other)")
        }
    }

    @Test(
        "without both a request is a program's, whose cookie counts for safe methods",
        arguments: methods
    )
    func program(method: String) throws {
        #expect(try isOwn(method, []) == Self.safe.contains(method))
    }

    @Test("a request with a repeated field isn't the own page's", arguments: methods)
    func repeated(method: String) throws {
        let site = "Sec-Fetch-Site: same-origin"
        let origin = "Origin: http://localhost:8080"
        #expect(try !isOwn(method, [site, site]))
        #expect(try !isOwn(method, [origin, origin]))
        #expect(try !isOwn(method, [site, origin, "Origin: http://evil.example"]))
    }
}
