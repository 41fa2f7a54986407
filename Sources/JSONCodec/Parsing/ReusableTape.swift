/// A reusable tape for decoding one document after another, stored if it is small.
///
/// Each event loop has one, so that decoding a small input allocates no tape. It isn't thread-safe.
package final class ReusableTape {
    /// Only the two methods here access it, and they call no other code.
    @exclusivity(unchecked) private var tape: Tape?

    /// Creates a holder without a tape.
    package init() {}

    /// Returns the stored tape, or a new one if there is none: at first use, or while another
    /// document is being decoded.
    func take(for bytes: UnsafeRawBufferPointer) -> Tape {
        guard let tape else { return Tape(bytes) }
        self.tape = nil
        tape.reuse(for: bytes)
        return tape
    }

    /// Stores a tape for reuse, unless a decoder still uses it; that one copies borrowed bytes.
    func give(_ tape: inout Tape) {
        guard isKnownUniquelyReferenced(&tape) else { return tape.detach() }
        if tape.isSmall { self.tape = tape }
    }
}
