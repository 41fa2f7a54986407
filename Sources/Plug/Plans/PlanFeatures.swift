/// The plan features that an action's types allow.
struct PlanFeatures {
    let isIdempotent: Bool
    let isSafe: Bool
    /// Whether an output may be meant for its caller only.
    let isCallerSpecific: Bool
    /// Whether two outputs can be compared.
    let comparesOutputs: Bool
    /// Whether inputs can be cache keys and outputs can be stored.
    let keepsOutputs: Bool

    init<Input, Output>(_ action: any ActionProtocol.Type, _: Input.Type, _: Output.Type) {
        isSafe = action is any SafeAction.Type
        isCallerSpecific = action is any CallerSpecific.Type || Outputs.holdCallers(Input.self)
        isIdempotent = action is any IdempotentAction.Type
        comparesOutputs =
            Output.self == Void.self || Output.self is any Equatable.Type
            || Output.self is any Encodable.Type
        keepsOutputs =
            Output.self is any Encodable.Type
            && (Input.self == Void.self || Input.self is any Hashable.Type
                || Input.self is any Encodable.Type)
    }
}
