import JSONCodec

/// Limits of a patch's work and of its result.
///
/// A `copy` of the whole document into itself doubles it. Thirty of them, in 1 KiB, would create a
/// gigabyte.
package struct PatchLimits: Sendable {
    /// The maximum number of operations.
    package var operations = 10_000
    /// The maximum size of all copies' text together, in bytes.
    package var copied = 4 << 20
    /// The maximum nesting depth of the document.
    package var depth = JSON.defaultDepth
    /// The maximum number of members and groups of 16 elements that are moved or measured.
    ///
    /// Ten thousand operations on a list of ten thousand take 6 million.
    package var steps = 20_000_000

    /// Creates the default limits.
    package init() {}
}

/// The size of a value.
struct Measure {
    /// The nesting depth; 0 if it isn't an array or an object.
    var depth = 0
    /// The number of values in it, including itself.
    var count = 0
    /// The approximate size of its text, in bytes.
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
