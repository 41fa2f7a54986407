import HTTPServer
import HTTPSyntax
import HTTPTypes
import JSONCodec
import PlugHTTP
import Synchronization

/// The rate limits of an action: its own limit and the server's.
struct RateLimits: Sendable {
    let limiters: [RateLimiter]
    /// The limiters' names in the shared counts.
    let sharedNames: [String]
    /// The counts that servers share; nil if this server counts alone.
    let shared: SharedRateLimits?
    private let policyLine: ResponseFields
    private let counter = Rejections()

    /// The number of rejected calls, in a class so that copies share it.
    private final class Rejections: Sendable {
        let count = Atomic<Int>(0)
    }

    /// The number of calls that the limits rejected.
    var rejected: Int { counter.count.load(ordering: .relaxed) }

    /// Returns nil if there is no limiter.
    init?(
        _ limiters: [RateLimiter],
        named sharedNames: [String] = [],
        sharedIn shared: SharedRateLimits? = nil
    ) {
        guard !limiters.isEmpty else { return nil }
        self.limiters = limiters
        self.sharedNames = sharedNames
        self.shared = shared
        let policies = limiters.map(\.policyItem).joined(separator: ", ")
        policyLine = ResponseFields([("RateLimit-Policy", policies)])
    }

    /// The error for an exceeded rate limit, with its 429 response.
    struct Exceeded: RespondingError { let response: Response }

    /// Throws if the next call would exceed a limit; counts nothing.
    func check(_ key: RateLimiter.Key) throws(Exceeded) {
        try checkShared(key)
        _ = try take(key, count: 0)
    }

    /// Counts a call and returns the rate limit fields of its response.
    func take(_ key: RateLimiter.Key, count: Int = 1) throws(Exceeded) -> ResponseFields {
        try fields { $0.take(key, count: count) }
    }

    /// Returns the fields for shared standings; those of limits that weren't counted are nil.
    func fields(
        of standings: [RateLimiter.Standing?]
    ) throws(Exceeded) -> ResponseFields {
        var rest = standings[...]
        return try fields { _ in rest.popFirst() ?? nil }
    }

    private func fields(
        _ standing: (RateLimiter) -> RateLimiter.Standing?
    ) throws(Exceeded) -> ResponseFields {
        var items: [String] = []
        for limiter in limiters {
            guard let standing = standing(limiter) else { continue }
            items.append(limiter.item(standing))
            guard standing.isWithin else {
                counter.count.add(1, ordering: .relaxed)
                throw Exceeded(response: refusal(limiter, standing, items))
            }
        }
        return lines(items)
    }

    private func lines(_ items: [String]) -> ResponseFields {
        policyLine + ResponseFields([("RateLimit", items.joined(separator: ", "))])
    }

    private func refusal(
        _ limiter: RateLimiter,
        _ standing: RateLimiter.Standing,
        _ items: [String]
    ) -> Response {
        let problem = Problem(
            status: .tooManyRequests,
            type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
            title: "Request cannot be satisfied as assigned quota has been exceeded",
            detail: "the limit is \(limiter.limit.quota) requests in \(limiter.limit.seconds) s: "
                + "retry in \(standing.reset) s",
            members: ["violated-policies": .array([.string("\(limiter.name)")])]
        )
        var response = ProblemResponse.make(
            problem,
            fields: [("Retry-After", String(standing.reset))]
        )
        response.fields += lines(items)
        return response
    }
}
