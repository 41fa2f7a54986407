import GRDB

/// A caller's write, from its call until the caller continues.
///
/// `@unchecked Sendable`: the queue's lock protects `state` and the links. Everything else belongs
/// to the caller before the write is queued, and to the writer's thread afterwards.
class PendingWrite: @unchecked Sendable {
    enum State { case new, waiting, taken, cancelled }

    /// The tables that it needs.
    let schema: Schema
    /// Whether it has a transaction of its own, since another write broke the shared one.
    var isAlone = false

    var state = State.new
    var next: PendingWrite?
    unowned(unsafe) var previous: PendingWrite?

    init(_ schema: Schema) { self.schema = schema }

    /// Makes the changes; the last call counts.
    func perform(in database: Database) throws {}

    /// Stores the result of the committed changes.
    func complete() {}

    /// Stores the error of the caller.
    func fail(_ error: any Error) {}

    /// Continues the caller with the stored result or error.
    func resume() {}
}

/// A write with its closures, its result and its caller.
final class CallerWrite<Value: Sendable, Result: Sendable>: PendingWrite, @unchecked Sendable {
    // Optional, because they may be the last owners of the storage, which closes its file at the
    // end. So they are released before the caller continues.
    private var body: (@Sendable (Database) throws -> Value)?
    private var committed: (@Sendable (Value) -> Result)?
    private var value: Value?
    private var result: Swift.Result<Result, any Error> = .failure(CancellationError())
    private var caller: CheckedContinuation<Result, any Error>?

    init(
        _ schema: Schema,
        _ body: @escaping @Sendable (Database) throws -> Value,
        then committed: @escaping @Sendable (Value) -> Result
    ) {
        self.body = body
        self.committed = committed
        super.init(schema)
    }

    /// Sets the caller, which waits.
    func wait(as caller: CheckedContinuation<Result, any Error>) { self.caller = caller }

    override func perform(in database: Database) throws { value = try body?(database) }

    override func complete() {
        guard let value, let committed else { return }
        result = .success(committed(value))
    }

    override func fail(_ error: any Error) { result = .failure(error) }

    override func resume() {
        (body, committed, value) = (nil, nil, nil)
        caller?.resume(with: result)
    }
}
