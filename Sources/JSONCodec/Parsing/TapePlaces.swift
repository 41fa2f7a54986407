/// The container of each value of a tape, and its index there.
///
/// Only errors need it, but a type that tries several forms for each element of a list causes many.
/// So one pass computes all places for the first error. Counting an element's neighbours for each
/// error would be quadratic.
final class TapePlaces {
    /// The index of each value's container.
    private var parents: [UInt32]
    /// The number of values before it in its container.
    private var ordinals: [UInt32]
    /// The decoded names of reported members, which may be long.
    private var names: [Int: String] = [:]
    /// The last requested container with its path, which neighbours share.
    private var last: (container: Int, path: [PathKey]) = (0, [])

    init(_ tape: Tape) {
        parents = Array(repeating: 0, count: tape.count)
        ordinals = parents
        for container in 0..<tape.count {
            let node = tape.nodes[container]
            let namesBefore: Int
            switch node.kind {
            case .object: namesBefore = 1
            case .array, .texts: namesBefore = 0
            case .null, .false, .true, .number, .string, .text: continue
            }
            var value = container + 1 + namesBefore
            var ordinal: UInt32 = 0
            while value < Int(node.next) {
                parents[value] = UInt32(truncatingIfNeeded: container)
                ordinals[value] = ordinal
                ordinal += 1
                value = Int(tape.nodes[value].next) + namesBefore
            }
        }
    }

    /// Returns the path from the root to a value.
    func path(to target: Int, of tape: Tape) -> [PathKey] {
        guard target > 0 else { return [] }
        let container = Int(parents[target])
        if last.container != container {
            var path: [PathKey] = []
            var value = container
            while value > 0 {
                path.append(step(to: value, of: tape))
                value = Int(parents[value])
            }
            path.reverse()
            last = (container, path)
        }
        return last.path + [step(to: target, of: tape)]
    }

    private func step(to value: Int, of tape: Tape) -> PathKey {
        guard tape.nodes[Int(parents[value])].kind == .object else {
            return .index(Int(ordinals[value]))
        }
        if let name = names[value] { return .name(name) }
        let name = tape.string(tape.nodes[value - 1])
        names[value] = name
        return .name(name)
    }
}

extension Tape {
    /// Returns the path from the root to a value.
    func path(to target: Int) -> [PathKey] {
        guard target > 0 else { return [] }
        let places = places ?? TapePlaces(self)
        self.places = places
        return places.path(to: target, of: self)
    }
}
