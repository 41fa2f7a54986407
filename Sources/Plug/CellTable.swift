import Locking
import Synchronization

/// The cells of all actions by their types: looked up without a lock, since every call does that.
///
/// Cells stay for ever, so a reader needs no more than that what it loads was written before. A table
/// that has become too small stays, too, for those who read it: together they are no larger than the
/// one that took their place.
final class CellTable: Sendable {
    /// The address of a cell, or 0: an integer, because a pointer is not sendable.
    private typealias Slot = Atomic<UInt>

    /// The slots of one size, a power of two; at most half of them are taken.
    private struct Slots {
        let slots: UnsafeMutablePointer<Slot>
        let shift: UInt
        let mask: Int

        init(bits: Int) {
            let count = 1 << bits
            mask = count - 1
            shift = UInt(Int.bitWidth - bits)
            slots = .allocate(capacity: count)
            for index in 0..<count { (slots + index).initialize(to: Slot(0)) }
        }

        /// Where a key is looked for first: metatypes lie at multiples of 16, and the product's upper
        /// bits depend on all of the key's.
        @inline(__always)
        private func start(_ key: ObjectIdentifier) -> Int {
            Int(truncatingIfNeeded: (UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        }

        /// No retain for what stays for ever: two atomic operations less for each call.
        @inline(__always)
        func cell(_ key: ObjectIdentifier) -> Unmanaged<PlugCell>? {
            var index = start(key)
            while true {
                let address = slots[index].load(ordering: .acquiring)
                guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
                let cell = Unmanaged<PlugCell>.fromOpaque(pointer)
                if cell._withUnsafeGuaranteedRef({ $0.key == key }) { return cell }
                index = (index + 1) & mask
            }
        }

        /// - Precondition: there is room, and nobody else adds.
        func add(_ cell: PlugCell) {
            var index = start(cell.key)
            while slots[index].load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
            let address = UInt(bitPattern: Unmanaged.passUnretained(cell).toOpaque())
            slots[index].store(address, ordering: .releasing)
        }

        /// A copy that is never moved or freed, by its address.
        var leaked: UInt {
            let place = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
            place.initialize(to: self)
            return UInt(bitPattern: place)
        }
    }

    private let current: Atomic<UInt>
    /// What keeps the cells; whoever adds holds its lock.
    private let kept: Locked<(cells: [PlugCell], bits: Int)>

    init() {
        let bits = 6
        current = Atomic(Slots(bits: bits).leaked)
        kept = Locked(([], bits))
    }

    @inline(__always)
    private var slots: Slots? {
        UnsafePointer<Slots>(bitPattern: current.load(ordering: .acquiring))?.pointee
    }

    /// The cell of an action, if there is one already.
    @inline(__always)
    func cell(_ key: ObjectIdentifier) -> Unmanaged<PlugCell>? { slots?.cell(key) }

    /// Adds a cell, unless its action has one: then that is given.
    func add(_ new: PlugCell) -> PlugCell {
        kept.withLock { kept in
            if let cell = cell(new.key) { return cell.takeUnretainedValue() }
            kept.cells.append(new)
            if kept.cells.count * 2 <= 1 << kept.bits {
                slots?.add(new)
                return new
            }
            kept.bits += 1
            let larger = Slots(bits: kept.bits)
            for cell in kept.cells { larger.add(cell) }
            current.store(larger.leaked, ordering: .releasing)
            return new
        }
    }
}
