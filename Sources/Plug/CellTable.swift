import Locking
import Synchronization

/// The cells of all actions by type; lookups take no lock, since every call makes one.
///
/// Cells and outgrown tables are never freed, so a reader needs only an acquiring load. All
/// outgrown tables together are no larger than the current one.
final class CellTable: Sendable {
    /// An action's type, and its cell; both 0 in a free slot.
    ///
    /// Addresses are integers, because pointers aren't sendable. The key is written first, so a
    /// reader that sees the cell sees its key.
    private struct Slot: ~Copyable {
        let key = Atomic<UInt>(0)
        let cell = Atomic<UInt>(0)
    }

    /// A table of one size, a power of two, of which at most half the slots are in use.
    private struct Slots {
        let slots: UnsafeMutablePointer<Slot>
        let shift: UInt
        let mask: Int

        init(bits: Int) {
            let count = 1 << bits
            mask = count - 1
            shift = UInt(Int.bitWidth - bits)
            slots = .allocate(capacity: count)
            for index in 0..<count { (slots + index).initialize(to: Slot()) }
        }

        /// Returns the slot where the search for a key begins.
        ///
        /// Metatypes' addresses are multiples of 16; the upper bits of the product depend on all
        /// bits of the key.
        @inline(__always)
        private func start(_ key: ObjectIdentifier) -> Int {
            Int(truncatingIfNeeded: (UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        }

        /// Returns the cell of a key, or nil if there is none.
        @inline(__always)
        func cell(_ key: ObjectIdentifier) -> Unmanaged<PlugCell>? {
            var index = start(key)
            while true {
                let address = slots[index].cell.load(ordering: .acquiring)
                guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
                if slots[index].key.load(ordering: .relaxed) == UInt(bitPattern: key) {
                    return Unmanaged<PlugCell>.fromOpaque(pointer)
                }
                index = (index + 1) & mask
            }
        }

        /// - Precondition: The table has a free slot, and the caller is the only writer.
        func add(_ cell: PlugCell) {
            var index = start(cell.key)
            while slots[index].cell.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
            let address = UInt(bitPattern: Unmanaged.passUnretained(cell).toOpaque())
            slots[index].key.store(UInt(bitPattern: cell.key), ordering: .relaxed)
            slots[index].cell.store(address, ordering: .releasing)
        }

        /// The address of a copy that is never moved or freed.
        var leaked: UInt {
            let place = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
            place.initialize(to: self)
            return UInt(bitPattern: place)
        }
    }

    private let current: Atomic<UInt>
    /// The references that keep the cells alive, and the table's size; writers hold the lock.
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

    /// Returns the cell of an action, or nil if it has none yet.
    @inline(__always)
    func cell(_ key: ObjectIdentifier) -> Unmanaged<PlugCell>? { slots?.cell(key) }

    /// Adds a cell, or returns the action's existing cell.
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
