import HTTPTransport
import HTTPTypes
import JSONCodec

extension BehaviorClient {
    /// The digest of the context, the same for any order of its members.
    var contextDigest: String {
        options.context.isEmpty
            ? "" : ContentHash.text(of: JSON.object(options.context).sorted.encoded())
    }

    func fetch() async throws(DocumentResponse.Failure) -> BehaviorRefresh {
        do throws(DocumentResponse.Failure) {
            return try await exchange()
        } catch {
            if !(error.error is CancellationError) {
                continuation.yield(.fetchFailed(error.error))
            }
            throw error
        }
    }

    private func exchange() async throws(DocumentResponse.Failure) -> BehaviorRefresh {
        let address: DocumentAddress
        do throws(ClientError) {
            address = try self.address.get()
        } catch {
            throw DocumentResponse.Failure(error: error)
        }
        let context = contextDigest
        let tag = tag(for: context)
        let reports = recorder.state.crashGuard.reports
        requestCount += 1
        let number = requestCount
        let request = DocumentRequest.request(
            address,
            fields: options.fields,
            context: options.context,
            tag: tag,
            reports: reports
        )
        let meaning: DocumentResponse
        do {
            let (response, body) = try await options.transport.send(request, body: [])
            meaning = try DocumentResponse(response, body, sentTag: tag)
        } catch let failure as DocumentResponse.Failure {
            throw failure
        } catch {
            throw DocumentResponse.Failure(error: error)
        }
        recorder.removeReports(reports)
        guard case .document(let bytes, let tag) = meaning else { return .unchanged }
        return await receive(
            Newest(
                context: context,
                revision: ContentHash.text(of: bytes),
                tag: tag,
                bytes: bytes,
                request: number
            )
        )
    }

    /// Returns the tag of a context's newest document, if its bytes can be used.
    private func tag(for context: String) -> String? {
        if newest?.context != context,
            let entry = recorder.state.documents.entries(for: context).first
        {
            _ = bytes(entry.revision, context, [entry])
        }
        return newest.flatMap { $0.context == context ? $0.tag : nil }
    }

    private func receive(_ received: Newest) async -> BehaviorRefresh {
        // A slow response must not replace that of a later request.
        if let newest, newest.context == received.context, newest.request > received.request {
            return .unchanged
        }
        let isKnown = newest?.context == received.context && newest?.revision == received.revision
        newest = received
        recorder.store(
            received.bytes,
            revision: received.revision,
            context: received.context,
            tag: received.tag
        )
        guard !isKnown else { return .unchanged }
        continuation.yield(.stored(revision: received.revision))
        guard options.updates == .immediately, session != nil, received.context == contextDigest,
            performedRevision != received.revision
        else { return .stored(revision: received.revision) }
        return .performed(await Self.value(of: enqueue()))
    }
}

extension JSON {
    /// The value with sorted members.
    fileprivate var sorted: JSON {
        switch self {
        case .object(let members):
            .object(
                JSON.Object(
                    members.sorted { $0.name < $1.name }.map { ($0.name, $0.value.sorted) }
                )
            )
        case .array(let elements): .array(elements.map(\.sorted))
        case .null, .bool, .number, .string: self
        }
    }
}
