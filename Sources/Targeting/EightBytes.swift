/// Eight bytes from a place within some on, the first in the lowest bits; zeros behind the last.
@inline(__always)
func eightBytes(of bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    guard place &+ 8 > bytes.count else {
        return UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    // Those that end with the last one, where there are as many.
    if bytes.count >= 8 {
        let last = raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        let missing = place &+ 8 &- bytes.count
        return UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: missing &<< 3)
    }
    var word: UInt64 = 0
    var at = bytes.count
    while at > place {
        at &-= 1
        word = word &<< 8 | UInt64(bytes[at])
    }
    return word
}
