import Glibc
import HTTPSyntax
import Logging

/// Connections of trusted proxies.
extension Connection {
    /// Sets the client of the request whose head was parsed; returns the error of an invalid one.
    @inline(never)
    func findClient() -> ProtocolError? {
        do throws(ProtocolError) {
            let trusted = loop.configuration.trustedProxies
            client = try trusted.client(of: loop.parser.head, from: address)
            return nil
        } catch {
            return error
        }
    }

    /// Reads the header of the PROXY protocol, and nothing after it: OpenSSL reads from the socket.
    ///
    /// The bytes of an incomplete header are stored. Otherwise a level-triggered poller would report
    /// them again.
    func readProxyHeader() {
        let count = peek(ProxyHeader.limit)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return handle(.exhausted) }
            // A balancer's check may only connect.
            return input.isEmpty ? close() : reject(.cut)
        }
        let stored = input.count
        input.append(ByteSpan(start: loop.readBuffer, count: count))
        switch ProxyHeader(input.bytes) {
        case .partial:
            consumePeeked(count)
            settle()
        case .complete(let length, let source):
            consumePeeked(length - stored)
            input.free()
            begin(source)
        case .failed(let failure): reject(failure)
        }
    }

    /// Begins the connection itself after its header.
    private func begin(_ source: ProxyHeader.Source) {
        if case .client(let address) = source {
            self.address = address
            client = address
            isProxied = loop.configuration.trustedProxies.contains(address)
            if !isProxied, let registry = loop.registry, !registry.admit(fd, address) {
                return close()
            }
        } else {
            // The header names no client, so a field can't either.
            isProxied = false
        }
        handle(.proxied(isSecure: tls != nil))
    }

    /// Closes the connection of a proxy that violates the PROXY protocol.
    ///
    /// The proxy should notice soon (proxy-protocol.txt §2.1), and no protocol for a response is known.
    func reject(_ failure: ProxyHeader.Failure) {
        loop.counters.proxyFailures.add(failure)
        let proxy = address?.description ?? "a Unix socket"
        loop.registry?.warn(
            """
            closed a connection from \(proxy): \(failure.rawValue). Configure the proxy to send the \
            PROXY protocol.
            """
        )
        close()
    }
}
