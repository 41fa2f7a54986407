/// The hash of names, keyed in each process.
///
/// It is a polynomial of the name's 7-byte words over the integers modulo 2⁶¹ − 1, at a random point,
/// multiplied by a random factor (Carter and Wegman: Universal classes of hash functions, 1979). The
/// first coefficient has the length; that of a name of up to seven bytes has its word, too. Two names
/// of n words collide with a probability of n / 2⁶¹, so a document can't collide on purpose. Swift's
/// hasher took 40 % of a large object's parsing.
struct NameHash {
    /// The hash of this process.
    static let process = NameHash()

    private let point = UInt64.random(in: 1..<prime)
    private let factor = UInt64.random(in: 1..<prime)

    private static let prime: UInt64 = 1 << 61 - 1
    private static let wordMask: UInt64 = 1 << 56 - 1

    /// Returns the hash of a name without escapes, after which more bytes may be readable.
    @inline(__always)
    func callAsFunction(_ name: UnsafeRawPointer, _ count: Int, readable: Int) -> UInt64 {
        var sum = UInt64(truncatingIfNeeded: count)
        if count < 8 {
            let word =
                readable >= 8
                ? Self.load(name) & (1 &<< UInt64(truncatingIfNeeded: 8 &* count) &- 1)
                : Self.load(name, count)
            return Self.mixed(sum << 56 | word, factor)
        }
        var at = 0
        while at &+ 8 <= count {
            sum = Self.product(sum, point) &+ Self.load(name + at) & Self.wordMask
            at &+= 7
        }
        // One to seven bytes are left.
        let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* (count &- at))
        let word = Self.load(name + (count &- 8)) &>> shift
        return Self.mixed(Self.product(sum, point) &+ word, factor)
    }

    /// Returns the hash of a name in a text.
    @inline(__always)
    func callAsFunction(
        _ text: UnsafeRawBufferPointer,
        _ start: Int,
        _ count: Int,
        isEscaped: Bool
    ) -> UInt64 {
        guard !isEscaped, let base = text.baseAddress else {
            let name = text[start..<start + count]
            return self(escaped: UnsafeRawBufferPointer(rebasing: name))
        }
        return self(base + start, count, readable: text.count - start)
    }

    /// Returns the hash of a name without escapes.
    func callAsFunction(_ name: UnsafeRawBufferPointer) -> UInt64 {
        guard let start = name.baseAddress else { return 0 }
        return self(start, name.count, readable: name.count)
    }

    /// Returns the hash of a name with escapes, which is that of its decoded form.
    @inline(never)
    func callAsFunction(escaped name: UnsafeRawBufferPointer) -> UInt64 {
        var unescaped = UnescapedBytes(name)
        var bytes: [UInt8] = []
        while let byte = unescaped.next() { bytes.append(byte) }
        return bytes.withUnsafeBytes { self($0) }
    }

    @inline(__always)
    private static func load(_ bytes: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    /// Returns up to seven bytes, the first in the lowest place.
    @inline(never)
    private static func load(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        (0..<count).reversed().reduce(0) { word, place in
            word << 8 | UInt64(bytes.load(fromByteOffset: place, as: UInt8.self))
        }
    }

    /// Returns the product with its upper half in the lower one, from which tables take their slots.
    ///
    /// Of similar names' products alone the lowest bits are often the same.
    @inline(__always)
    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = product(left, right)
        return product ^ product >> 32
    }

    /// Returns a number below 2⁶¹ + 8 that is the product modulo the prime.
    ///
    /// The first factor is below 2⁶², the second below 2⁶¹.
    @inline(__always)
    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        // 2⁶¹ is 1 modulo the prime.
        let sum = low & prime &+ (low >> 61 | high << 3)
        return sum & prime &+ sum >> 61
    }
}
