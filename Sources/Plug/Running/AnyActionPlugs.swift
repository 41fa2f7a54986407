/// An action's plugs, for code that doesn't know the action's input and output types.
package protocol AnyActionPlugs: AnyObject, Sendable {
    /// The action's plan and its statistics.
    var state: PlugState { get }

    /// The action's plan and the counts of its calls at one moment.
    var sample: PlugSample { get }

    /// Checks that calls can go through a plan.
    ///
    /// - Throws: The faults of the plan.
    func check(_ plan: PlugPlan?) throws(InvalidPlan)

    /// Sends calls through a plan from now on; nil restores the wiring set in code.
    ///
    /// - Throws: The faults of the plan, which then changes nothing.
    func setLive(_ plan: PlugPlan?) throws(InvalidPlan)

    /// Plugs an implementation without a name; nil removes the plug.
    ///
    /// - Precondition: The wiring has the book's input and output types.
    func plug(erased wiring: (any AnyObject & Sendable)?)

    /// A wiring that reads the book at each call; nil if nothing is plugged.
    var indirect: (any AnyObject & Sendable)? { get }
}
