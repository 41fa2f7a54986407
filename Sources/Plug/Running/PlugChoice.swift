/// The latest wiring of an action that the code set.
enum PlugChoice: Sendable {
    case nothing
    /// An implementation without a name, by the name of its type.
    case implementation(String)
    case plan(PlugPlan)

    var plan: PlugPlan? {
        switch self {
        case .nothing: nil
        case .implementation(let type): .plug(type)
        case .plan(let plan): plan
        }
    }

    /// The plan; nil for a plain plug, and for a plan that names one implementation.
    var planWithLayers: PlugPlan? {
        if case .plan(let plan) = self, plugged == nil { plan } else { nil }
    }

    /// The name of the only implementation.
    var plugged: String? {
        switch self {
        case .implementation(let name), .plan(.plug(let name)): name
        case .nothing, .plan: nil
        }
    }
}
