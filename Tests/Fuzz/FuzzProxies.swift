@testable import HTTPSyntax

/// Feeds the texts with which proxies name clients; the first byte chooses which.
@c(LLVMFuzzerTestOneInput)
public func fuzzProxies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 1, let start else { return 0 }
    let text = ByteSpan(start: start + 1, count: count - 1)
    switch start[0] % 4 {
    case 0: checkHeader(text)
    case 1: checkFields(text)
    case 2: checkAddress(text)
    default: checkLines(text)
    }
    return 0
}

private let trusted = TrustedProxies(["10.0.0.0/8", "2001:db8::/32", "unix"])

/// Checks that a complete header needs all its bytes, and that the bytes after it have no effect.
private func checkHeader(_ bytes: ByteSpan) {
    let header = ProxyHeader(bytes)
    switch header {
    case .partial: precondition(bytes.count < ProxyHeader.limit)
    case .failed: break
    case .complete(let length, _):
        precondition(length <= min(bytes.count, ProxyHeader.limit))
        precondition(ProxyHeader(bytes.slice(0, length)) == header)
        for count in 0..<length { precondition(ProxyHeader(bytes.slice(0, count)) == .partial) }
    }
}

/// Checks that a head's client, if it isn't the proxy, is in the text, and isn't a skipped proxy.
private func checkFields(_ fields: ByteSpan) {
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + fields + Array("\r\n\r\n".utf8)
    request.withUnsafeBufferPointer { bytes in
        let parser = RequestParser()
        guard case .complete = parser.parse(bytes) else { return }
        let head = parser.head
        let count = head.count(of: "forwarded") + head.count(of: "x-forwarded-for")
        do throws(ProtocolError) {
            let client = try trusted.client(of: head, from: nil)
            precondition(client == nil || count > 0)
        } catch {
            precondition(error.status == 400 && count > 0)
        }
    }
}

/// Checks that a parsed address is the same after it is written.
private func checkAddress(_ text: ByteSpan) {
    if let address = IPAddress(text) {
        precondition(IPAddress(text: address.description) == address)
        precondition(ForwardedNode(member: text) == .address(address))
        precondition(IPNetwork(of: address, prefix: 128).contains(address))
    }
    guard let network = try? IPNetwork(parsing: text.text) else { return }
    precondition(network.contains(network.first))
}

/// Checks that an element which a proxy adds decides the client, or the line is rejected.
///
/// The text is the client's. Otherwise a client could forge its address.
private func checkLines(_ text: ByteSpan) {
    guard text.allSatisfy(ByteClass.isFieldValue) else { return }
    let added: [StaticString] = [
        ", for=192.0.2.7", ", for=\"192.0.2.7:80\"", ", for=192.0.2.7;host=\"a\"",
        ", proto=http;for=192.0.2.7;host=\";for=1\"",
    ]
    let client = IPAddress(ipv4: 0xC000_0207)
    for element in added {
        let value = Array(text) + element.withUTF8Buffer { Array($0) }
        let line = value.withUnsafeBufferPointer { try? ForwardedLine(forwarded: $0, trusted) }
        guard let line else { continue }
        precondition(line.client == .address(client) && line.proxies == 0)
    }
    let value = Array(text) + Array(", 192.0.2.7".utf8)
    let line = value.withUnsafeBufferPointer { ForwardedLine(members: $0, trusted) }
    precondition(line.client == .address(client) && line.proxies == 0)
}
