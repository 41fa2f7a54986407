/// The key of an exchange for later events: the connection's token, and the stream in HTTP/2.
struct ExchangeID: Hashable {
    let connection: UInt64
    var stream: Int32?
}
