/// Room that documents are decoded in, one after the other: the tape of the last one, if it was
/// small.
///
/// A server's loop has one, so that decoding a small input allocates nothing for the tape. It isn't
/// for several threads.
package final class DecodingRoom {
    /// Touched by the two methods here, which call nobody.
    @exclusivity(unchecked) private var tape: Tape?

    /// Makes an empty room.
    package init() {}

    /// Gives the tape that was kept, or a new one where there is none: the first time, and while
    /// another document is being decoded.
    func take(for bytes: UnsafeRawBufferPointer) -> Tape {
        guard let tape else { return Tape(bytes) }
        self.tape = nil
        tape.reuse(for: bytes)
        return tape
    }

    /// Takes a tape back, but for one that a decoder still uses: that one copies what it borrowed.
    func give(_ tape: inout Tape) {
        guard isKnownUniquelyReferenced(&tape) else { return tape.detach() }
        if tape.isSmall { self.tape = tape }
    }
}
