extension Wiring {
    /// Returns a wiring that distributes the calls by percentage.
    static func split(
        _ split: PlugSplit,
        _ byName: [String: Wiring],
        _ layer: PlanContext
    ) -> Wiring {
        PlugKey.want()
        let action = layer.action
        let random = layer.tools.random
        var lots: [SplitShare] = []
        // Type-erased: a type with generic parameters would need a metadata lookup on each call.
        var wirings: [any AnyObject & Sendable] = []
        for name in split.names {
            guard let wiring = byName[name], let share = split.shares[name], share > 0
            else { continue }
            lots.append(SplitShare(name, of: action, share: share))
            wirings.append(wiring)
        }
        return Wiring(making: { [lots, wirings] in
            let way =
                PlugKey.current.map { SplitShare.choice($0, lots) }
                ?? SplitShare.drawn(random(), lots)
            guard way < wirings.count else { return FailingPlug(NotPlugged(action: action)) }
            return unsafeDowncast(wirings[way], to: Wiring<Input, Output>.self).implementation()
        })
    }
}
