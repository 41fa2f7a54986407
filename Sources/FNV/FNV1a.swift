/// FNV-1a, 64 bits: a fast hash that is the same in every process.
///
/// It mixes the upper bits poorly, and it is no defence against forgery.
package struct FNV1a: Sendable {
    /// The hash of all bytes so far.
    @inlinable package var value: UInt64 { hash }
    @usableFromInline var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no bytes.
    @inlinable
    package init() {}

    /// Adds the bytes of an array.
    ///
    /// The loop over any sequence isn't specialized in other modules: it took 12 ms for 466 KiB.
    package mutating func add(_ bytes: [UInt8]) {
        var hash = self.hash
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.hash = hash
    }

    /// Adds bytes.
    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
