import Logging
import Plug
import PlugHTTP
import Testing

@testable import Plugboard

private class Plain: Action<Void, String>, GET { static var path: String { "/plain" } }
private class Change: Action<Void, String>, POST { static var path: String { "/change" } }
private class Limited: Action<Void, String>, POST, RateLimited {
    static var path: String { "/limited" }
    static var rateLimit: RateLimit { .perMinute(1) }
}

@Suite("Policies")
struct PolicyMakerTests {
    private func policy(_ policies: PolicyFactory, _ actions: [ExposedAction]) -> ActionPolicy? {
        var problems: [String] = []
        return policies.policy(of: actions[0], beside: [], &problems)?.actionPolicy
    }

    @ActionsBuilder private var plain: [ExposedAction] { Plain.self }
    @ActionsBuilder private var change: [ExposedAction] { Change.self }
    @ActionsBuilder private var limited: [ExposedAction] { Limited.self }

    @Test("an action without requirements has no policy")
    func none() throws {
        let folder = try TemporaryFolder()
        let data = try DataFolder(folder["data"])
        let full = PolicyFactory(
            administration: Administration(data.administration),
            idempotency: data.idempotency
        )
        for policies in [PolicyFactory(), full] {
            #expect(policy(policies, plain) == nil)
            #expect(policy(policies, change) == nil)
            #expect(policy(policies, limited) != nil)
        }
    }

    @Test("a server's own limit applies to all actions, except probes")
    func all() {
        let policies = PolicyFactory(limiter: RateLimiter("server", .perMinute(1)))
        #expect(policy(policies, plain) != nil)
        // The responder applies the timeout, so that synchronous actions need no policy for it.
        #expect(policy(PolicyFactory(timeout: 1), plain) == nil)
        for probe in ExposedAction.probes(
            ReadinessState([], isPreparing: false, logger: .init(label: "test"))
        ) {
            #expect(policy(policies, [probe]) == nil)
        }
    }
}
