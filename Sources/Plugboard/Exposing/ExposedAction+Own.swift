import BehaviorStore
import HTTPSyntax
import HTTPServer
import HTTPTypes
import Plug
import PlugHTTP

extension ExposedAction {
    /// An action that the server performs itself, unless an implementation is plugged to it.
    ///
    /// Each server in a process has its own.
    ///
    /// It declares only its scopes, so it needs no other conformance lookup: those lookups dominate
    /// the start-up time.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        in queue: WorkQueue = .administration,
        perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) where A.Input: Decodable {
        let input = InputForm<A.Input>.decoded(forEndpoint: action)
        self.init(own: action, input, output, in: queue) { input, _ in try await perform(input) }
    }

    /// An action that records its caller and the caller's address.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input, Author) async throws -> A.Output
    ) where A.Input: Decodable {
        let input = InputForm<A.Input>.decoded(forEndpoint: action)
        self.init(own: action, input, output, author: Author.init(of:), perform)
    }

    /// An action whose responses contain a secret.
    convenience init<A: Endpoint & Scoped & Confidential>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input) async throws -> A.Output
    ) where A.Input: Decodable {
        let input = InputForm<A.Input>.decoded(forEndpoint: action)
        self.init(own: action, input, output, isConfidential: true) { input, _ in
            try await perform(input)
        }
    }

    /// An action whose responses contain a secret, and that records its caller and the caller's
    /// address.
    convenience init<A: Endpoint & Scoped & Confidential>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (A.Input, Author) async throws -> A.Output
    ) where A.Input: Decodable {
        let input = InputForm<A.Input>.decoded(forEndpoint: action)
        self.init(
            own: action,
            input,
            output,
            isConfidential: true,
            author: Author.init(of:),
            perform
        )
    }

    /// An action without an input.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        in queue: WorkQueue = .administration,
        perform: @escaping @Sendable () async throws -> A.Output
    ) where A.Input == Void {
        self.init(own: action, .nothing(rejectsUnknown: true), output, in: queue) { _, _ in
            try await perform()
        }
    }

    /// An action that reads its body as a stream, and records its caller and the caller's address.
    convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ output: OutputForm<A.Output>,
        perform: @escaping @Sendable (RequestBody, Author) async throws -> A.Output
    ) where A.Input == RequestBody {
        let cell = PlugCell.of(action)
        let encode = output.encode
        let stream: Stream = { request, body, tools in
            let author = Author(of: request)
            let logger = tools.logger
            return .later {
                do {
                    // A body that arrives slowly must not hold one of the queue's places.
                    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                        let output =
                            cell.isPlugged
                            ? try await cell.perform(A.self, body)
                            : try await perform(body, author)
                        return try encode(output, ResponseContext())
                    }
                } catch {
                    return ProblemResponse.make(error, performing: cell.name, logger)
                }
            }
        }
        self.init(
            action,
            action,
            Declarations(own: action),
            stream: stream,
            .body,
            output.description
        ) { request, body, tools in
            try stream(request, RequestBody(whole: Array(body)), tools)
        }
    }

    private convenience init<A: Endpoint & Scoped>(
        own action: A.Type,
        _ input: InputForm<A.Input>,
        _ output: OutputForm<A.Output>,
        isConfidential: Bool = false,
        in queue: WorkQueue = .administration,
        author: (@Sendable (borrowing Request) -> Author)? = nil,
        _ perform: @escaping @Sendable (A.Input, Author) async throws -> A.Output
    ) {
        var declarations = Declarations(own: action)
        declarations.isConfidential = isConfidential
        self.init(
            own: action,
            declarations,
            input,
            output,
            in: queue,
            reading: { author?($0) ?? Author(id: "") },
            perform: perform
        )
    }

    /// An action that reads more of its request than its input: `context`, on the loop.
    ///
    /// It may declare no scopes.
    convenience init<A: Endpoint, Context: Sendable>(
        own action: A.Type,
        _ declarations: Declarations,
        _ input: InputForm<A.Input>,
        _ output: OutputForm<A.Output>,
        in queue: WorkQueue = .administration,
        reading context: @escaping @Sendable (borrowing Request) -> Context,
        perform: @escaping @Sendable (A.Input, Context) async throws -> A.Output
    ) {
        guard case .whole(let decode, let description) = input else {
            preconditionFailure("the server's own actions take values")
        }
        let cell = PlugCell.of(action)
        let encode = output.encode
        var declarations = declarations
        declarations.acceptsForms = false
        declarations.isOwn = true
        declarations.evaluatesConditions = A.fields.values.contains(.ifMatch)
        let fields = FieldMembers(A.fields, of: description)
        self.init(
            action,
            action,
            declarations,
            fields: fields,
            description,
            output.description
        ) { request, body, tools in
            var text = request.members
            if let fields, !request.bodyIsWhole { text += fields.members(of: request.head) }
            let isLarge = body.count > OffLoop.bytes
            let large = isLarge ? HeldBody(body) : nil
            if isLarge, large == nil { return .now(WorkQueue.busy) }
            let small = isLarge ? nil : try decode(body, text, tools.room)
            let members = text
            let context = context(request)
            let logger = tools.logger
            return .later {
                do {
                    return try await queue.run {
                        let input =
                            if let large {
                                try await InputForm.decodeLarge(large, members, decode)
                            } else if let small {
                                small
                            } else {
                                preconditionFailure("an input is small or large")
                            }
                        let output =
                            cell.isPlugged
                            ? try await cell.perform(A.self, input)
                            : try await perform(input, context)
                        return try encode(output, ResponseContext())
                    }
                } catch {
                    return ProblemResponse.make(error, performing: cell.name, logger)
                }
            }
        }
    }
}

extension Author {
    /// The caller of a request, with the client's address.
    fileprivate init(of request: borrowing Request) {
        let id = request.caller?.id ?? ""
        // The certificate of a caller with a token identifies the sender only.
        let certificate = Caller.isCertificate(id) ? request.peer.certificate : nil
        self.init(
            id: id,
            name: request.caller?.name ?? "",
            address: request.peer.address?.description ?? "",
            certificate: certificate.map {
                AuthorCertificate(
                    issuer: $0.details.issuer,
                    serial: $0.details.serial,
                    authority: $0.authority,
                    end: $0.end
                )
            }
        )
    }
}
