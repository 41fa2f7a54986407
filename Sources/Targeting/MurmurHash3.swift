/// MurmurHash3 for x86, 32 bits (Austin Appleby, public domain): of texts in as many pieces as come.
///
/// It spreads users over buckets and is the same on every system and in every language. It keeps no
/// secret: who can choose a key can choose its bucket.
struct MurmurHash3 {
    private var state: UInt32
    /// Up to three bytes that don't make a block yet, the first in the lowest bits.
    private var rest: UInt32 = 0
    private var restCount: UInt32 = 0
    private var count: UInt32 = 0

    /// A hash of nothing yet.
    init(seed: UInt32 = 0) { state = seed }

    /// The hash of one text's UTF-8 bytes.
    static func hash(_ text: String, seed: UInt32 = 0) -> UInt32 {
        var hash = MurmurHash3(seed: seed)
        hash.append(text)
        return hash.value
    }

    /// Goes on with a text's UTF-8 bytes.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            append(start, bytes.count)
        }
    }

    /// Goes on with bytes.
    ///
    /// Plain loops without a call: in a debug build, too, it takes 30 ns for eight bytes.
    mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        var at = 0
        var state = state
        var rest = rest
        var restCount = restCount
        // Blocks that no text before has begun.
        while restCount == 0, length &- at >= 4 {
            var block =
                UInt32(truncatingIfNeeded: bytes[at])
                | UInt32(truncatingIfNeeded: bytes[at &+ 1]) &<< 8
                | UInt32(truncatingIfNeeded: bytes[at &+ 2]) &<< 16
                | UInt32(truncatingIfNeeded: bytes[at &+ 3]) &<< 24
            block = block &* 0xCC9E_2D51
            block = (block &<< 15) | (block &>> 17)
            state ^= block &* 0x1B87_3593
            state = (state &<< 13) | (state &>> 19)
            state = state &* 5 &+ 0xE654_6B64
            at &+= 4
        }
        while at < length {
            rest |= UInt32(truncatingIfNeeded: bytes[at]) &<< (restCount &<< 3)
            restCount &+= 1
            at &+= 1
            if restCount == 4 {
                rest = rest &* 0xCC9E_2D51
                rest = (rest &<< 15) | (rest &>> 17)
                state ^= rest &* 0x1B87_3593
                state = (state &<< 13) | (state &>> 19)
                state = state &* 5 &+ 0xE654_6B64
                rest = 0
                restCount = 0
            }
        }
        self.state = state
        self.rest = rest
        self.restCount = restCount
        count = count &+ UInt32(truncatingIfNeeded: length)
    }

    /// The hash of all that came.
    var value: UInt32 {
        var hash = state
        if restCount > 0 {
            let block = rest &* 0xCC9E_2D51
            hash ^= ((block &<< 15) | (block &>> 17)) &* 0x1B87_3593
        }
        hash ^= count
        hash ^= hash &>> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash &>> 13
        hash = hash &* 0xC2B2_AE35
        hash ^= hash &>> 16
        return hash
    }
}
