import HTTPServer
import HTTPSyntax

/// Rate limits whose counts several servers share.
extension RateLimits {
    /// Returns a reply that is made after its call was counted, or that rejects the call.
    func hold(_ reply: Reply, of key: RateLimiter.Key) -> Reply {
        let work: Reply.Work
        switch reply {
        case .now(let response): work = { response }
        case .later(let promised): work = promised
        }
        return .later { [self] in
            do throws(Exceeded) {
                let fields = try await takeShared(key)
                var response = await work()
                response.fields += fields
                return response
            } catch {
                return error.response
            }
        }
    }

    /// Counts a call in the shared counts; in this server's own if they are unavailable.
    func takeShared(_ key: RateLimiter.Key) async throws(Exceeded) -> ResponseFields {
        guard let shared, let standings = await shared.take(counts(of: key)) else {
            return try take(key)
        }
        // Noted for an outage of the database, in which this server's own counts decide.
        _ = try? take(key)
        return try fields(of: standings)
    }

    /// Throws if the next call is known to exceed a shared limit.
    func checkShared(_ key: RateLimiter.Key) throws(Exceeded) {
        guard let shared, let standings = shared.exhausted(counts(of: key)) else { return }
        _ = try fields(of: standings)
    }

    private func counts(of key: RateLimiter.Key) -> [SharedRateLimits.Count] {
        zip(sharedNames, limiters).map { name, limiter in
            SharedRateLimits.Count(name: name, limit: limiter.limit, key: key)
        }
    }
}
