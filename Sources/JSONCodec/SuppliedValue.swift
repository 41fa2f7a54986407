/// What the values do that no document has: they come from whoever decodes, and are left out of what
/// is encoded.
package enum SuppliedValue {
    /// Whether a type is only followed to find out what it looks like: then any value will do, and it
    /// is noted that it is supplied.
    package static func isFollowed(by decoder: any Decoder) -> Bool {
        if let probe = decoder as? ProbeDecoder {
            probe.notes.isSupplied = true
            return true
        }
        return decoder is SampleDecoder
    }

    /// Leaves a value out of what is encoded; where others encode, it is null.
    package static func leaveOut(of encoder: any Encoder) throws {
        if let encoder = encoder as? ArenaEncoder {
            encoder.arena.drop(encoder.node)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
