#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
extension HostAndPort {
    /// Whether the host is an IPv4 or IPv6 address, or has the form of one.
    ///
    /// No name in the Internet ends in a number (WHATWG URL, "ends in a number").
    var isNumeric: Bool {
        if host.utf8.contains(0x3A) { return true }
        let labels = host.split(separator: ".", omittingEmptySubsequences: true)
        guard let last = labels.last?.utf8 else { return false }
        let isDecimal = last.allSatisfy { (0x30...0x39).contains($0) }
        return isDecimal || last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8)
    }

    /// Returns the host's addresses, which the caller frees with `freeaddrinfo`.
    ///
    /// It blocks the thread. A numeric address never goes through the resolver: a name service
    /// could redirect it, and would learn about it.
    /// - Throws: ``ClientError`` of kind `unreachable`, or `invalidURL` for an invalid address.
    func resolve() throws(ClientError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : AI_ADDRCONFIG)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0, let list else {
            guard !isNumeric else {
                throw ClientError(.invalidURL, "\(host) is neither an address nor a host name")
            }
            let reason = String(cString: gai_strerror(status))
            throw ClientError(.unreachable, "\(host) cannot be resolved: \(reason)")
        }
        return list
    }
}
#endif
