import BlockingThreads
import Glibc

/// How long a test waits for what has to happen, before it fails.
let patience = Duration.seconds(60)

/// Sends bytes to a port of this machine and reads until the server closes.
///
/// The socket blocks a thread of its own, never one that tasks run on.
func exchange(_ request: String, port: UInt16) async throws -> [UInt8] {
    try await exchange(Array(request.utf8), port: port)
}

func exchange(_ request: [UInt8], port: UInt16) async throws -> [UInt8] {
    try await BlockingThreads.run { try blockingExchange(request, port: port) }
}

/// Sends a head that expects 100, and the body after `pause`, which begins when the server has asked
/// for the body.
func exchange(
    head: String,
    pause: () async throws -> Void,
    body: String,
    port: UInt16
) async throws -> [UInt8] {
    let descriptor = try await BlockingThreads.run {
        let descriptor = try open(port: port)
        sendAll(Array(head.utf8), to: descriptor)
        let end = Array("100 Continue\r\n\r\n".utf8)
        _ = try receive(from: descriptor) { $0.suffix(end.count).elementsEqual(end) }
        return descriptor
    }
    defer { close(descriptor) }
    try await pause()
    return try await BlockingThreads.run {
        sendAll(Array(body.utf8), to: descriptor)
        return try receive(from: descriptor)
    }
}

/// Sends bytes and reads until the received bytes are complete, or until the server closes.
func exchange(
    _ request: [UInt8],
    port: UInt16,
    until isComplete: @escaping @Sendable ([UInt8]) -> Bool
) async throws -> [UInt8] {
    try await BlockingThreads.run { try blockingExchange(request, port: port, until: isComplete) }
}

private func blockingExchange(
    _ request: [UInt8],
    port: UInt16,
    until isComplete: ([UInt8]) -> Bool = { _ in false }
) throws -> [UInt8] {
    let descriptor = try open(port: port)
    defer { close(descriptor) }
    sendAll(request, to: descriptor)
    return try receive(from: descriptor, until: isComplete)
}

private func open(port: UInt16) throws -> CInt {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw HarnessError("socket: errno \(errno)") }
    // A timeval: seconds and microseconds.
    var limit = (Int(patience.components.seconds), 0)
    let size = socklen_t(MemoryLayout<(Int, Int)>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard status == 0 else {
        close(descriptor)
        throw HarnessError("connect to \(port): errno \(errno)")
    }
    return descriptor
}

private func sendAll(_ bytes: [UInt8], to descriptor: CInt) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // A server that rejects early closes while the body is on its way: its response counts.
        guard sent > 0 else { break }
        rest = rest.dropFirst(sent)
    }
}

/// Reads until the server closes, or the bytes are complete.
private func receive(
    from descriptor: CInt,
    until isComplete: ([UInt8]) -> Bool = { _ in false }
) throws -> [UInt8] {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == ECONNRESET, !received.isEmpty { return received }
        guard count >= 0 else { throw HarnessError("no answer in time: errno \(errno)") }
        if count == 0 { return received }
        received += chunk[..<count]
        if isComplete(received) { return received }
    }
}

/// Runs an operation that has to end soon.
func soon<Value: Sendable>(
    _ what: String,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: operation)
        group.addTask {
            try await Task.sleep(for: patience)
            throw HarnessError("not within \(patience): \(what)")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
