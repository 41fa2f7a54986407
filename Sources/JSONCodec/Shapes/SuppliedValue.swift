/// Helpers for values that the decoding caller supplies: they are in no document and aren't
/// encoded.
package enum SuppliedValue {
    /// Returns whether a decoder only follows the type to find its shape; any value will do then.
    ///
    /// The decoder records that the value is supplied.
    package static func isFollowed(by decoder: any Decoder) -> Bool {
        if let probe = decoder as? ProbeDecoder {
            probe.notes.isSupplied = true
            return true
        }
        return decoder is SampleDecoder
    }

    /// Omits a value from the encoded document; other encoders write null.
    package static func leaveOut(of encoder: any Encoder) throws {
        if let encoder = encoder as? ArenaEncoder {
            encoder.arena.drop(encoder.node)
        } else {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
