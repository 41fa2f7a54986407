import Glibc
import Testing

@testable import HTTPServer

@Suite("Resolved addresses")
struct EndpointTests {
    /// The endpoint of a text.
    private func resolved(_ text: String) throws -> Endpoint {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        #expect(getaddrinfo(text, nil, &hints, &list) == 0)
        defer { freeaddrinfo(list) }
        let first = try #require(list?.pointee)
        return try #require(Endpoint(first, port: 4711))
    }

    @Test("an address with a zone is bound in that zone only (RFC 4007 §11)")
    func zone() throws {
        let endpoint = try resolved("fe80::1%lo")
        #expect(endpoint.host == "fe80::1%lo")
        var bound = sockaddr_in6()
        let status = endpoint.withAddress { address, length in
            memcpy(&bound, address, Int(length))
            return CInt(length)
        }
        #expect(Int(status) == MemoryLayout<sockaddr_in6>.size)
        #expect(bound.sin6_scope_id == if_nametoindex("lo"))
        #expect(bound.sin6_port == UInt16(4711).bigEndian)
        let bytes = withUnsafeBytes(of: bound.sin6_addr) { Array($0) }
        #expect(bytes == [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])
    }

    @Test("an IPv4 address has its port")
    func four() throws {
        var endpoint = try resolved("127.0.0.1")
        endpoint.port = 80
        #expect(endpoint.name == "http://127.0.0.1:80")
        var bound = sockaddr_in()
        _ = endpoint.withAddress { address, length in
            memcpy(&bound, address, Int(length))
            return 0
        }
        #expect(bound.sin_port == UInt16(80).bigEndian)
        #expect(bound.sin_addr.s_addr == UInt32(0x7F00_0001).bigEndian)
    }
}
