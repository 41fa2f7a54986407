/// What one who listens to a database is told.
package enum PostgreSQLNotification: Sendable, Equatable {
    /// It listens from here on. What was told before, or between two connections, it has not heard:
    /// it looks itself at what is kept.
    case listening
    /// What was told with `NOTIFY`, or `pg_notify`.
    case told(String)
    /// The database is lost; the client goes on trying.
    case lost(String)
}

extension PostgreSQLClient {
    /// What is told of on a channel, from now on and through every loss of the connection.
    ///
    /// - Parameter channel: Lower-case letters, digits and underscores: it is a name in SQL.
    /// - Returns: A stream that ends when its reader does. A reader who is a thousand behind misses
    ///   the oldest: what was told is a reason to look, not what is to be known.
    /// - Throws: That it is no name.
    package func notifications(
        on channel: String
    ) throws(PostgreSQLError) -> AsyncStream<PostgreSQLNotification> {
        let isName = channel.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
        }
        guard isName, (1...63).contains(channel.utf8.count) else {
            throw PostgreSQLError(.misuse, "no channel can be named so")
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
            do throws(PostgreSQLError) {
                let connection = try await connect()
                _ = try await connection.run(SQLStatement(name: channel, after: "LISTEN "))
                failures = 0
                await forgetFailure()
                stream.yield(.listening)
                try await forward(from: connection, to: stream)
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                stream.yield(.lost("\(error)"))
            }
            await pause(configuration.pause(after: failures))
        }
    }

    private func forward(
        from connection: PostgreSQLConnection,
        to stream: AsyncStream<PostgreSQLNotification>.Continuation
    ) async throws(PostgreSQLError) {
        while true {
            let deadline = ContinuousClock.now + configuration.heartbeat
            if let notification = try await connection.notification(until: deadline) {
                stream.yield(.told(notification.payload))
            } else {
                // A connection may be gone without a word: it is asked.
                _ = try await connection.run("SELECT 1")
            }
        }
    }
}

extension SQLStatement {
    /// A statement with a checked name, which can't be a parameter.
    fileprivate init(name: String, after text: StaticString) {
        self.init(stringLiteral: "\(text)\"\(name)\"")
    }
}
