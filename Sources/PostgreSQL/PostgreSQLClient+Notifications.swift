/// An event of a stream of notifications.
public enum PostgreSQLNotification: Sendable, Equatable {
    /// The stream now receives notifications.
    ///
    /// Earlier ones may be lost, so the reader must read the stored data itself.
    case listening
    /// The payload of a `NOTIFY` or `pg_notify`.
    case notified(String)
    /// The connection is lost; the client keeps reconnecting.
    case lost(String)
}

extension PostgreSQLClient {
    /// Returns a channel's notifications from now on, with automatic reconnection.
    ///
    /// - Parameter channel: Lowercase letters, digits and underscores, since it is an SQL name.
    /// - Returns: A stream that ends when its reader cancels it. It buffers 1000 events and then
    ///   drops the oldest: a notification is a reason to read the data, not the data.
    /// - Throws: ``PostgreSQLError`` of kind `misuse` for an invalid channel name.
    public func notifications(
        on channel: String
    ) throws(PostgreSQLError) -> AsyncStream<PostgreSQLNotification> {
        let isName = channel.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        }
        guard isName, (1...63).contains(channel.utf8.count) else {
            throw PostgreSQLError(.misuse, "the channel's name is invalid")
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: PostgreSQLNotification.self,
            bufferingPolicy: .bufferingNewest(1000)
        )
        let task = Task { [self] in
            await listen(to: channel, continuation)
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func listen(
        to channel: String,
        _ stream: AsyncStream<PostgreSQLNotification>.Continuation
    ) async {
        var failures = 0
        while !Task.isCancelled {
            if let loss = await opener.loss {
                if failures == 0 { stream.yield(.lost("\(loss)")) }
                await opener.waitUntilAvailable()
                failures = 0
            }
            do throws(PostgreSQLError) {
                let connection = try await opener.open()
                _ = try await connection.run(SQLStatement(name: channel, after: "LISTEN "))
                failures = 0
                stream.yield(.listening)
                try await forward(from: connection, to: stream)
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                stream.yield(.lost("\(error)"))
            }
            // The end of a lost database needs no pause.
            if await opener.loss == nil { await pause(configuration.pause(after: failures)) }
        }
    }

    private func forward(
        from connection: PostgreSQLConnection,
        to stream: AsyncStream<PostgreSQLNotification>.Continuation
    ) async throws(PostgreSQLError) {
        while true {
            let deadline = ContinuousClock.now + configuration.heartbeat
            if let notification = try await connection.notification(until: deadline) {
                stream.yield(.notified(notification.payload))
            } else {
                // A broken connection may give no sign, so each heartbeat sends a query.
                guard await connection.responds() else {
                    throw PostgreSQLError(.unavailable, "the database doesn't respond")
                }
            }
        }
    }
}

extension SQLStatement {
    /// Creates a statement with a checked name, which can't be a parameter.
    fileprivate init(name: String, after text: StaticString) {
        self.init(stringLiteral: "\(text)\"\(name)\"")
    }
}
