import PlugHTTP

/// A parser of `text/event-stream` (HTML Standard §9.2.6), for bytes that are split anywhere.
struct EventParser {
    /// The id of the last event that had one, for `Last-Event-ID`.
    private(set) var lastID: String?
    /// The time that the server asks clients to wait before they reconnect.
    private(set) var retry: Duration?

    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var isStart = true
    private var data: [UInt8]?
    private var event: String?
    private var id: String?
    private var eventRetry: Duration?

    /// The maximum size of a line and of an event.
    static let maximumSize = 16 << 20

    /// Parses the next bytes and returns the complete events.
    ///
    /// - Throws: `ClientError` of kind `tooLarge` for an event over the limit.
    mutating func feed(_ bytes: [UInt8]) throws(ClientError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            // CR LF is one line end.
            let isSecondHalf = isAfterReturn && byte == 0x0A
            isAfterReturn = byte == 0x0D
            guard !isSecondHalf else { continue }
            guard byte == 0x0A || byte == 0x0D else {
                guard line.count + (data?.count ?? 0) < Self.maximumSize else {
                    throw ClientError(.tooLarge, "An event of the response is over 16 MiB")
                }
                line.append(byte)
                continue
            }
            if isStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            isStart = false
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Forgets an incomplete event: its connection broke.
    mutating func restart() {
        let (lastID, retry) = (lastID, retry)
        self = EventParser()
        (self.lastID, self.retry) = (lastID, retry)
    }

    private mutating func endLine() -> ServerSentEvent? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: 0x3A) ?? line.count
        var value = line[min(colon + 1, line.count)...]
        if value.first == 0x20 { value = value.dropFirst() }
        let text = { String(decoding: value, as: UTF8.self) }
        // A line that begins with a colon is a comment.
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data": data = data.map { $0 + [0x0A] + value } ?? Array(value)
        case "event": event = value.isEmpty ? nil : text()
        case "id" where !value.contains(0): id = text()
        case "retry":
            guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }),
                let milliseconds = Int32(text())
            else { break }
            eventRetry = .milliseconds(milliseconds)
            retry = eventRetry
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        if let id { lastID = id }
        defer { (data, event, id, eventRetry) = (nil, nil, nil, nil) }
        guard let data else { return nil }
        return ServerSentEvent(
            data: String(decoding: data, as: UTF8.self),
            event: event,
            id: id,
            retry: eventRetry
        )
    }
}
