import HTTPSyntax
import Testing

@testable import Plugboard

/// In which line a conditional change waits.
@Suite("Serialised changes of a resource")
struct ChangeGuardTests {
    private func line(_ path: String) -> String {
        Array(PercentCoding.normalized(path.utf8).utf8).withUnsafeBufferPointer { bytes in
            String(decoding: ChangeGuard.line(of: bytes), as: UTF8.self)
        }
    }

    @Test(
        "all spellings of a path share a queue (RFC 3986 §6.2.2)",
        arguments: [
            "/products/TEA-1", "/products/TE%41-1", "/%70roducts/%54EA-1", "/products/tea-1",
            "/products/TEA%2D1", "/products/TEA%2d1",
        ]
    )
    func spellings(path: String) {
        #expect(line(path) == "/products/tea-1")
    }

    @Test(
        "other paths have other queues",
        arguments: ["/products/TEA-2", "/products/TEA-1/", "/product/TEA-1"]
    )
    func others(path: String) {
        #expect(line(path) != "/products/tea-1")
    }

    @Test("an invalid escape stays unchanged", arguments: ["/a%", "/a%4", "/a%zz", "/a%4x"])
    func noEscape(path: String) {
        #expect(line(path) == path)
    }
}
