import Glibc
import HTTPSyntax
import System
import Testing

@testable import HTTPServer

@Suite("Preparation of responses in both protocols")
struct ExchangeTests {
    private let get = Exchange()
    private let head = Exchange(isHead: true)

    private func file(_ range: Range<Int>) -> Response.Body {
        .file(FileBody(descriptor: FileDescriptor(open("/dev/null", O_RDONLY)), range: range))
    }

    private let stream = Response.Body.stream(ResponseStream { nil })

    @Test("bytes and files have a length and a body")
    func lengths() {
        let bytes = get.prepare(Response(status: 200, body: .bytes([1, 2, 3])))
        #expect(bytes == Preparation(length: 3, sendsBody: true, heldBytes: 3))
        let file = get.prepare(Response(status: 200, body: file(10..<30)))
        #expect(file == Preparation(length: 20, sendsBody: true))
    }

    @Test("a streamed body has no length")
    func streams() {
        let stream = get.prepare(Response(status: 200, body: stream))
        #expect(stream == Preparation(isStreamed: true, sendsBody: true))
    }

    @Test("the response to HEAD has the same head, no body, and no held bytes (RFC 9110 §9.3.2)")
    func heads() {
        let bodies = [Response.Body.bytes([1, 2, 3]), file(10..<30), stream]
        for body in bodies {
            let response = Response(status: 200, body: body)
            let (full, prepared) = (get.prepare(response), head.prepare(response))
            #expect(prepared.length == full.length)
            #expect(prepared.isStreamed == full.isStreamed)
            #expect(!prepared.sendsBody)
            #expect(prepared.heldBytes == 0)
        }
    }

    @Test("204 and 304 have neither a body nor a length (RFC 9110 §8.6)", arguments: [204, 304])
    func empty(_ status: UInt16) {
        for body in [Response.Body.none, .bytes([1]), file(0..<9), stream] {
            #expect(get.prepare(Response(status: status, body: body)) == Preparation())
        }
    }

    @Test("an empty body has a length and isn't sent")
    func nothing() {
        #expect(get.prepare(Response(status: 200)) == Preparation(length: 0))
        #expect(get.prepare(Response(status: 200, body: file(5..<5))) == Preparation(length: 0))
    }

    @Test("bytes that the server stores permanently don't count as held")
    func kept() {
        var response = Response(status: 200, body: .bytes([1, 2, 3]))
        response.isKept = true
        #expect(get.prepare(response).heldBytes == 0)
        #expect(get.prepare(response).sendsBody)
    }

    @Test("the connection ends after the response if either side says so")
    func closing() {
        var response = Response(status: 200)
        #expect(Exchange(keepsAlive: false).prepare(response).closes)
        #expect(!get.prepare(response).closes)
        response.closes = true
        #expect(get.prepare(response).closes)
        response.status = 304
        #expect(get.prepare(response).closes)
    }
}
