import Glibc
package import HTTPSyntax

/// Bytes whose end lies flush against a page that can't be read: a parser that looks one byte too
/// far faults.
package final class GuardedBytes {
    private let base: UnsafeMutableRawPointer
    private let mapped: Int
    package let span: ByteSpan

    package init(_ bytes: some Collection<UInt8>) {
        let page = sysconf(CInt(_SC_PAGESIZE))
        let readable = max(1, (bytes.count + page - 1) / page) * page
        mapped = readable + page
        base = mmap(nil, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let start = (base + readable - bytes.count).assumingMemoryBound(to: UInt8.self)
        _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).initialize(from: bytes)
        mprotect(base + readable, page, PROT_NONE)
        span = ByteSpan(start: start, count: bytes.count)
    }

    deinit { munmap(base, mapped) }

    /// Lends bytes as long as the call lasts.
    package static func with<Result, Failure: Error>(
        _ bytes: some Collection<UInt8>,
        _ body: (ByteSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let guarded = GuardedBytes(bytes)
        defer { withExtendedLifetime(guarded) {} }
        return try body(guarded.span)
    }
}

extension String {
    /// The text with each of its line ends as CR LF.
    package var crlf: String { replacing("\n", with: "\r\n") }
}
