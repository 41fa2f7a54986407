/// The error of an invalid plan, with all of its faults.
public struct InvalidPlan: Error, Sendable, Equatable, CustomStringConvertible {
    /// One fault in one part of a plan.
    public struct Fault: Sendable, Equatable {
        /// The part as a JSON Pointer (RFC 6901) into the plan: `/split/network`.
        public let pointer: String
        /// The description of the fault.
        public let detail: String
    }

    /// The action's name.
    public let action: String
    /// The faults, in the plan's order.
    public let faults: [Fault]

    /// One line for each fault.
    public var description: String {
        faults.map { fault in
            "the plan of \(action)\(fault.pointer.isEmpty ? "" : " at \(fault.pointer)"): "
                + fault.detail
        }.joined(separator: "\n")
    }
}
