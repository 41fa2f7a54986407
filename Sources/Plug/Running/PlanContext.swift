/// The parts of a running plan that its layers share.
struct PlanContext: Sendable {
    /// The action's name.
    let action: String
    let tools: PlanDependencies
    let gauges: PlanStatistics
    /// Replaces a part of the plan, and reports the removed candidate with the reason.
    let unplug: @Sendable (PlugUnplugged, _ part: PlugPlan, _ rest: PlugPlan) -> Void
}
