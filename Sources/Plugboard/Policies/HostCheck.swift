import HTTPSyntax

/// One loop's check of hosts, which compares most requests only with the previous one.
final class HostCheck {
    private static let capacity = 256

    private let hosts: AllowedHosts
    /// The last accepted authority.
    private let accepted = UnsafeMutablePointer<UInt8>.allocate(capacity: HostCheck.capacity)
    @exclusivity(unchecked) private var count = 0

    init(_ hosts: AllowedHosts) { self.hosts = hosts }

    deinit { accepted.deallocate() }

    /// Whether a request may have this authority.
    ///
    /// A browser always sends one, so an HTTP/1.0 request without one passes.
    @inline(__always)
    func allows(_ authority: ByteSpan) -> Bool {
        if hosts.allowsAny || authority.equals(ByteSpan(start: accepted, count: count)) {
            return true
        }
        return search(authority)
    }

    @inline(never)
    private func search(_ authority: ByteSpan) -> Bool {
        guard let start = authority.baseAddress, !authority.isEmpty else { return true }
        guard hosts.contains(authority) else { return false }
        if authority.count <= Self.capacity {
            accepted.update(from: start, count: authority.count)
            count = authority.count
        }
        return true
    }
}
