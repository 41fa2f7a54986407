import HTTP2Frames
import Testing

@testable import HTTPServer

@Suite(
    "Admission per request",
    .blockingClients,
    .timeLimit(.minutes(5))
)
struct IncomingRequestTests {
    private func head(_ name: String, length: Int) -> String {
        post("/admitted", "X-Name: \(name)\r\nContent-Length: \(length)")
    }

    private func fields(_ name: String) -> [(String, String)] {
        HTTP2Frame.request("POST", "/admitted", [("x-name", name)])
    }

    @Test("two connections whose bodies follow both heads have their own admissions")
    func connections() async throws {
        try await withUnixServer { server in
            let (ada, bob) = (try server.client(), try server.client())
            try ada.deliver(head("ada", length: 4))
            try bob.deliver(head("bob", length: 6))
            try ada.deliver("12")
            try bob.send("123456")
            #expect(try bob.answer().text == "bob bob 6")
            try ada.send("34")
            #expect(try ada.answer().text == "ada ada 4")
        }
    }

    @Test("a body that arrives with its head doesn't use an earlier admission")
    func pipelined() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            try client.deliver(head("ada", length: 2))
            try client.send("12" + head("bob", length: 3) + "123")
            #expect(try client.answer().text == "ada ada 2")
            #expect(try client.answer().text == "none bob 3")
        }
    }

    @Test("a new connection with a rejected upload's descriptor doesn't use its admission")
    func afterError() async throws {
        try await withUnixServer { server in
            let client = try server.client()
            let chunked = "X-Name: ada\r\nTransfer-Encoding: chunked"
            try client.deliver(post("/admitted", chunked) + "2\r\n12")
            try client.send("no line end")
            #expect(try client.answer().status == 400)
            let other = try server.client()
            try other.send(head("bob", length: 3) + "123")
            #expect(try other.answer().text == "none bob 3")
        }
    }

    @Test("HTTP/2 streams whose bodies arrive in another order have their own admissions")
    func streams() async throws {
        try await withServer(.any) { server in
            let client = try HTTP2Client(server.address)
            let names: [UInt32: String] = [1: "ada", 3: "bob", 5: "eve"]
            for stream in names.keys.sorted() {
                let head = fields(names[stream] ?? "")
                try client.send(.headers(stream, head, ends: false))
            }
            try client.send(.data(1, "1", ends: false))
            for stream: UInt32 in [5, 3, 1] {
                try client.send(.data(stream, "12"))
                let name = names[stream] ?? ""
                let size = stream == 1 ? 3 : 2
                #expect(try client.answer(stream).text == "\(name) \(name) \(size)")
            }
        }
    }

    @Test("another stream doesn't use a reset stream's admission")
    func reset() async throws {
        try await withServer(.any) { server in
            let client = try HTTP2Client(server.address)
            let head = fields("ada")
            try client.send(.headers(1, head, ends: false))
            try client.send(.reset(1, 8))
            try client.send(.headers(3, fields("bob"), ends: false))
            try client.send(.data(3, "123"))
            #expect(try client.answer(3).text == "bob bob 3")
        }
    }
}
