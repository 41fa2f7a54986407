/// MurmurHash3 for x86, 32 bits (Austin Appleby, public domain), computed incrementally.
///
/// It assigns users to buckets and is the same on every system and in every language. It is no
/// cryptographic hash: a client that can choose its key can choose its bucket.
struct MurmurHash3 {
    private var state: UInt32
    /// Up to three bytes of an incomplete block, the first in the lowest bits.
    private var rest: UInt32 = 0
    private var restCount: UInt32 = 0
    private var count: UInt32 = 0

    /// Creates the hash of no bytes.
    init(seed: UInt32 = 0) { state = seed }

    /// Returns the hash of one text's UTF-8 bytes.
    static func hash(_ text: String, seed: UInt32 = 0) -> UInt32 {
        var hash = MurmurHash3(seed: seed)
        hash.append(text)
        return hash.value
    }

    /// Appends a text's UTF-8 bytes.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            append(start, bytes.count)
        }
    }

    /// Appends bytes.
    ///
    /// Plain loops without calls, so that debug builds are fast too.
    mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        var at = 0
        var state = state
        var rest = rest
        var restCount = restCount
        while length &- at >= 4 {
            let four =
                UInt32(truncatingIfNeeded: bytes[at])
                | UInt32(truncatingIfNeeded: bytes[at &+ 1]) &<< 8
                | UInt32(truncatingIfNeeded: bytes[at &+ 2]) &<< 16
                | UInt32(truncatingIfNeeded: bytes[at &+ 3]) &<< 24
            // After the rest of the previous text.
            let bytes = UInt64(rest) | UInt64(four) &<< UInt64(restCount &<< 3)
            Self.mix(UInt32(truncatingIfNeeded: bytes), into: &state)
            rest = UInt32(truncatingIfNeeded: bytes &>> 32)
            at &+= 4
        }
        while at < length {
            rest |= UInt32(truncatingIfNeeded: bytes[at]) &<< (restCount &<< 3)
            restCount &+= 1
            at &+= 1
            if restCount == 4 {
                Self.mix(rest, into: &state)
                rest = 0
                restCount = 0
            }
        }
        self.state = state
        self.rest = rest
        self.restCount = restCount
        count = count &+ UInt32(truncatingIfNeeded: length)
    }

    /// Mixes a block of four bytes into the state.
    @inline(__always)
    private static func mix(_ block: UInt32, into state: inout UInt32) {
        state ^= scramble(block)
        state = (state &<< 13) | (state &>> 19)
        state = state &* 5 &+ 0xE654_6B64
    }

    @inline(__always)
    private static func scramble(_ block: UInt32) -> UInt32 {
        let block = block &* 0xCC9E_2D51
        return ((block &<< 15) | (block &>> 17)) &* 0x1B87_3593
    }

    /// The hash of all appended bytes.
    var value: UInt32 {
        var hash = state
        if restCount > 0 { hash ^= Self.scramble(rest) }
        hash ^= count
        hash ^= hash &>> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash &>> 13
        hash = hash &* 0xC2B2_AE35
        hash ^= hash &>> 16
        return hash
    }
}
