import Glibc
import HTTPSyntax

extension Connection {
    /// Begins a request whose body is passed to its task piece by piece.
    ///
    /// Returns the number of bytes used.
    func beginStream(
        _ head: UnsafePointer<RequestHead>,
        _ bytes: ByteSpan,
        _ collecting: Collecting
    ) -> Int {
        let (loop, exchange) = (loop, ExchangeID(connection: token))
        let stream = BodyStream(loop.untaken) { loop.resumeUpload(exchange) }
        let start = head.pointee.length
        let operation: Reply.Work
        let request = IncomingRequest(head, from: peer, admitted: admitted.take())
        switch loop.responder.respond(request, stream: stream) {
        case .now(let response):
            reject(response)
            return bytes.count
        case .later(let later): operation = later
        }
        self.stream = stream
        self.collecting = collecting
        (received, bodyProgress) = (0, 0)
        handle(.stream)
        task = Task(executorPreference: loop.executor) {
            await loop.perform(operation, for: exchange)
        }
        return receiveBody(bytes, from: start)
    }

    /// Cancels the body's task: the body broke off, or the response was sent before the body's end.
    func abandonStream() {
        guard let stream else { return }
        self.stream = nil
        task?.cancel()
        task = nil
        stream.fail(CancellationError())
    }
}
