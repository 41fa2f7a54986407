extension Evaluator {
    mutating func rollout(_ node: Program.Node, _ index: Int32) throws(Stop) -> Value {
        var hash: UInt32?
        if node.count == 2 {
            switch try self.hash(program.operand(0, of: node), index) {
            case .known(let known): hash = known
            case .absent: hash = try defaultHash(index)
            case .other: return fail(.notATextFirst, index)
            }
        } else {
            hash = try defaultHash(index)
        }
        guard let hash else { return .bool(false) }
        return .bool(Buckets.bucket(of: hash) < UInt32(node.detail))
    }

    mutating func fractional(_ node: Program.Node, _ index: Int32) throws(Stop) -> Value {
        var parts = 0..<Int(node.count)
        var hash: UInt32?
        var isKeyed = false
        if program.fractionalHasKey(node) {
            isKeyed = true
            switch try self.hash(program.operand(0, of: node), index) {
            case .known(let known):
                hash = known
                parts = 1..<Int(node.count)
            case .absent: parts = 1..<Int(node.count)
            // A computed operand that turns out to be a list is a part.
            case .other: isKeyed = false
            }
        }
        if hash == nil { hash = try defaultHash(index) }
        guard let hash else { return .null }
        // The compiled weights are those of the parts after the key.
        if node.detail >= 0, isKeyed || !program.fractionalHasKey(node) {
            let split = program.splits[Int(node.detail)]
            let bucket = Buckets.bucket(of: hash, among: split.total)
            for (place, end) in split.ends.enumerated() where bucket < end {
                return try partValue(program.operand(parts.lowerBound + place, of: node), index)
            }
            return .null
        }
        return try fractional(node, index, hash, parts)
    }

    /// Evaluates a split with computed weights.
    private mutating func fractional(
        _ node: Program.Node,
        _ index: Int32,
        _ hash: UInt32,
        _ parts: Range<Int>
    ) throws(Stop) -> Value {
        var total = 0
        var ends: [(end: Int, value: Value)] = []
        for place in parts {
            guard case .list(let part) = try operand(place, node), let value = part.elements.first
            else { return fail(.notADistribution, index) }
            guard value.isPartValue else { return fail(.notAPartValue, index) }
            let given = part.elements.count > 1 ? part.elements[1] : .number(1)
            guard let weight = given.weight else { return fail(.notAWeight, index) }
            total += weight
            ends.append((total, value))
        }
        guard let sum = UInt32(exactly: total), total <= Int(Int32.max) else {
            return fail(.weightsTooLarge, index)
        }
        guard sum > 0 else { return fail(.noWeight, index) }
        let bucket = Int(Buckets.bucket(of: hash, among: sum))
        return ends.first { bucket < $0.end }?.value ?? .null
    }

    /// Returns the value of a part whose weight is a constant.
    private mutating func partValue(_ part: Int32, _ index: Int32) throws(Stop) -> Value {
        let node = program.nodes[Int(part)]
        var value = Value.null
        if node.operation == .list {
            value = try operand(0, node)
        } else if case .list(let list)? = program.constant(part) {
            value = list.elements.first ?? .null
        }
        return value.isPartValue ? value : fail(.notAPartValue, index)
    }

    // MARK: Keys

    /// A bucketing key's hash; `absent` for null, `other` for values that can't be hashed.
    private enum Key {
        case known(UInt32)
        case absent
        case other
    }

    /// Hashes an operand's value.
    private mutating func hash(_ operand: Int32, _ index: Int32) throws(Stop) -> Key {
        let node = program.nodes[Int(operand)]
        if node.operation == .concatenation, notes == nil {
            // A text that is only hashed isn't built.
            try take()
            var hash = MurmurHash3()
            var size = 0
            for place in 0..<Int(node.count) {
                switch try self.operand(place, node) {
                case .null: break
                case let value:
                    let text = try text(of: value)
                    size += text.utf8.count
                    guard size <= TargetingLimits.textSize else { throw .textTooLong }
                    hash.append(text)
                }
            }
            return .known(hash.value)
        }
        switch try evaluate(operand) {
        case .text(let text):
            let hash = MurmurHash3.hash(text)
            note(index, text, hash)
            return .known(hash)
        case .null: return .absent
        case .bool, .number, .list, .members: return .other
        }
    }

    /// Hashes the rule's key and the targeting key; nil if the context has none.
    private mutating func defaultHash(_ index: Int32) throws(Stop) -> UInt32? {
        guard let user = context.targetingKey, !user.isEmpty else {
            note(index, nil, nil)
            return nil
        }
        let key = key
        // The author chooses the length of the key, the client that of the targeting key.
        try take((key.utf8.count + user.utf8.count) / 32)
        var hash = MurmurHash3()
        hash.append(key)
        hash.append(user)
        if notes != nil { note(index, key + user, hash.value) }
        return hash.value
    }

    private mutating func note(_ index: Int32, _ key: String?, _ hash: UInt32?) {
        notes?.buckets.append(
            EvaluationNotes.Bucket(
                node: index,
                key: key,
                bucket: hash.map { Buckets.bucket(of: $0) }
            )
        )
    }
}
