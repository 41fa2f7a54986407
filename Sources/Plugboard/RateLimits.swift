import HTTPServer
import HTTPSyntax
import HTTPTypes
import JSONCodec
import PlugHTTP

/// The limits that hold for an action: its own, and its server's.
struct RateLimits: Sendable {
    private let limiters: [RateLimiter]
    private let policyLine: ResponseFields

    /// Nil where there is no limit.
    init?(_ limiters: [RateLimiter]) {
        guard !limiters.isEmpty else { return nil }
        self.limiters = limiters
        let policies = limiters.map(\.policyItem).joined(separator: ", ")
        policyLine = ResponseFields([("RateLimit-Policy", policies)])
    }

    /// What a refusal says that came of a limit.
    struct Exceeded: Error { let response: Response }

    /// Tells without counting whether a call would be refused.
    func check(_ key: RateLimiter.Key) throws(Exceeded) { _ = try take(key, count: 0) }

    /// Counts a call, and gives the field lines of its answer.
    func take(_ key: RateLimiter.Key, count: Int = 1) throws(Exceeded) -> ResponseFields {
        var items: [String] = []
        for limiter in limiters {
            let standing = limiter.take(key, count: count)
            items.append(limiter.item(standing))
            guard standing.isWithin else {
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
            detail: "\(limiter.limit.quota) in \(limiter.limit.seconds) s are all there are: "
                + "try again in \(standing.reset) s",
            members: ["violated-policies": .array([.string("\(limiter.name)")])]
        )
        var response = ProblemAnswer.make(
            problem,
            fields: [("Retry-After", String(standing.reset))]
        )
        response.fields += lines(items)
        return response
    }
}
