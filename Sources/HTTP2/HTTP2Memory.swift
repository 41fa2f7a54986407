internal import CNghttp2
import HTTPSyntax

/// A pool for nghttp2's small objects.
///
/// A request needs five of them, and a client sends many requests at once: more than malloc's
/// per-thread cache holds. A pool belongs to one loop, whose sessions share it. It caches a limited
/// number of blocks of each size.
package final class HTTP2Memory {
    private struct Bin {
        var first: UnsafeMutableRawPointer?
        var count = 0
    }

    /// Block sizes are multiples of 64 bytes.
    private static let stepBits = 6
    /// The largest cached size, in steps; a stream takes five.
    private static let steps = 8
    /// The maximum of cached blocks per size: the number that one client's open streams take.
    private static let limit = 128
    /// The size of the header before each block, which has its capacity.
    ///
    /// Equal to malloc's alignment.
    private static let header = 16

    private let bins: UnsafeMutablePointer<Bin>

    package init() {
        bins = .allocate(capacity: Self.steps + 1)
        bins.initialize(repeating: Bin(), count: Self.steps + 1)
    }

    deinit {
        for index in 0...Self.steps {
            while let block = bins[index].first {
                bins[index].first = block.load(as: UnsafeMutableRawPointer?.self)
                (block - Self.header).deallocate()
            }
        }
        bins.deallocate()
    }

    /// The number of cached blocks.
    var kept: Int { (0...Self.steps).reduce(0) { $0 + bins[$1].count } }

    func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let steps = (size + (1 << Self.stepBits) - 1) >> Self.stepBits
        if steps <= Self.steps, let block = bins[steps].first {
            bins[steps].first = block.load(as: UnsafeMutableRawPointer?.self)
            bins[steps].count -= 1
            return block
        }
        let capacity = max(steps, 1) << Self.stepBits
        let place = UnsafeMutableRawPointer.allocate(
            byteCount: Self.header + capacity,
            alignment: Self.header
        )
        place.storeBytes(of: capacity, as: Int.self)
        return place + Self.header
    }

    /// Allocates zeroed memory for `count` objects; nil if the size overflows.
    func allocate(_ count: Int, of size: Int) -> UnsafeMutableRawPointer? {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: size)
        guard !overflows else { return nil }
        let block = allocate(bytes)
        block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        return block
    }

    func free(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        let steps = Self.capacity(block) >> Self.stepBits
        guard steps <= Self.steps, bins[steps].count < Self.limit else {
            return (block - Self.header).deallocate()
        }
        block.storeBytes(of: bins[steps].first, as: UnsafeMutableRawPointer?.self)
        bins[steps].first = block
        bins[steps].count += 1
    }

    func reallocate(_ block: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer {
        guard let block else { return allocate(size) }
        let capacity = Self.capacity(block)
        guard size > capacity else { return block }
        let larger = allocate(size)
        larger.copyMemory(from: block, byteCount: capacity)
        free(block)
        return larger
    }

    private static func capacity(_ block: UnsafeMutableRawPointer) -> Int {
        (block - header).load(as: Int.self)
    }

    // MARK: For nghttp2

    /// Calls `body` with nghttp2's memory functions; the pool has to outlive all their blocks.
    func withCallbacks<Result>(_ body: (UnsafeMutablePointer<nghttp2_mem>) -> Result) -> Result {
        var callbacks = nghttp2_mem(
            mem_user_data: Unmanaged.passUnretained(self).toOpaque(),
            malloc: { size, user in HTTP2Memory.with(user) { $0.allocate(size) } },
            free: { block, user in HTTP2Memory.with(user) { $0.free(block) } },
            calloc: { count, size, user in
                HTTP2Memory.with(user) { $0.allocate(count, of: size) } ?? nil
            },
            realloc: { block, size, user in HTTP2Memory.with(user) { $0.reallocate(block, size) } }
        )
        return body(&callbacks)
    }

    @inline(__always)
    private static func with<Result>(
        _ user: UnsafeMutableRawPointer?,
        _ body: (HTTP2Memory) -> Result
    ) -> Result? {
        user.map { Unmanaged<HTTP2Memory>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }
}
