import HTTPSyntax

/// A loop's open connections, which the loop's exchanges address by token.
protocol ConnectionRegistry: AnyObject {
    /// Whether there are more connections than the limit.
    var exceedsLimit: Bool { get }

    /// Passes a promised response to its exchange, if that still exists.
    ///
    /// Returns the response's body if the task has to make it.
    func complete(_ exchange: ExchangeID, _ response: Response) -> OutgoingBody?

    /// Measures the progress of clients for which bytes wait, at most once in
    /// `OutputBudget.patience`.
    func measureProgress()

    /// Closes the connections of stalled clients, except that of `backlog`, until the output budget
    /// has room.
    ///
    /// Returns whether one was closed.
    func makeRoom(beside backlog: Backlog) -> Bool

    /// Counts a connection for the client that its PROXY protocol header names.
    ///
    /// Returns false if the client's address has its limit of connections.
    func admit(_ fd: CInt, _ client: IPAddress) -> Bool

    /// Logs a warning at most once a minute.
    func warn(_ message: @autoclosure () -> String)

    /// Removes a closed connection.
    func remove(_ token: UInt64)
}
