import JSONCodec

/// What keeps the work that a patch asks for, and what it makes, small.
///
/// A `copy` of the whole document into itself doubles it: thirty of them, in 1 KiB, would make a
/// gigabyte.
package struct PatchBounds: Sendable {
    /// The most operations.
    package var operations = 10_000
    /// The most bytes of text that copies add, all together.
    package var copied = 4 << 20
    /// How deep the document may nest.
    package var depth = JSON.defaultDepth
    /// The most members and sixteens of elements that are moved or measured to make room for others;
    /// ten thousand operations on a list of ten thousand take 6 million.
    package var steps = 20_000_000

    /// Creates the bounds.
    package init() {}
}

/// How large a value is.
struct Measure {
    /// How deep it nests, 0 for one that isn't an array or an object.
    var depth = 0
    /// How many values there are, itself among them.
    var count = 0
    /// About how many bytes its text has.
    var bytes = 0

    init(_ json: JSON) { add(json, level: 0) }

    private mutating func add(_ json: JSON, level: Int) {
        count += 1
        bytes += 2
        switch json {
        case .null, .bool: bytes += 4
        case .number(let number): bytes += number.text.utf8.count
        case .string(let text): bytes += text.utf8.count
        case .array(let elements):
            depth = max(depth, level + 1)
            for element in elements { add(element, level: level + 1) }
        case .object(let members):
            depth = max(depth, level + 1)
            for (name, member) in members {
                bytes += name.utf8.count + 4
                add(member, level: level + 1)
            }
        }
    }
}
