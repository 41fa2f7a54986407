internal import CNghttp2
import HTTPSyntax

/// Encodes the heads of a connection's responses in sending order (RFC 7541).
///
/// A block depends on the HPACK table of both sides, so encoding happens at sending time. Most
/// responses of a connection begin alike. A block of status and fields that left the table
/// unchanged stays valid until the table changes, so its bytes are reused. Encoding each field took
/// a fifth of a small response's instructions.
struct HTTP2HeadEncoder: ~Copyable {
    private let deflater: OpaquePointer
    private var fields = HTTP2Fields()
    /// The last block: status, date and fields, then Content-Length.
    private var buffer = OutputBuffer(capacity: 256)
    /// The length of the block's reusable part, for equal status, date and fields; 0 if there is
    /// none.
    private var reusable = 0
    private var status: UInt16 = 0
    private var date: [UInt8] = []
    /// Retained, so that no other fields can have the same address.
    private var lastFields = ResponseFields()
    private var lastDefaultFields = ResponseFields()
    private var length: Int?

    /// The table's size until the client sets another (RFC 9113 §6.5.2).
    private static let tableSize = 4096

    /// Creates an encoder; nil if there is no memory.
    init?() {
        var made: OpaquePointer?
        guard nghttp2_hd_deflate_new(&made, Self.tableSize) == 0, let made else { return nil }
        deflater = made
    }

    deinit { nghttp2_hd_deflate_del(deflater) }

    /// The last encoded block, valid until the next.
    var block: ByteSpan { buffer.bytes }

    /// Limits the table to the client's size and its current size.
    mutating func bound(_ size: Int) {
        nghttp2_hd_deflate_change_table_size(deflater, size)
        // The next block begins with the new size.
        reusable = 0
    }

    /// Encodes a head; returns false if there is no memory, and then the connection is unusable.
    mutating func encode(_ head: borrowing HTTP2Session.ResponseHead) -> Bool {
        if isReusable(head) {
            guard head.length != length else { return true }
            buffer.truncate(to: reusable)
        } else {
            guard encodeStart(head) else { return false }
        }
        length = head.length
        guard let length else { return true }
        fields.removeAll()
        fields.append(length: length)
        return deflate()
    }

    @inline(__always)
    private func isReusable(_ head: borrowing HTTP2Session.ResponseHead) -> Bool {
        guard reusable > 0, head.status == status, head.fields.isIdentical(to: lastFields),
            head.defaultFields.isIdentical(to: lastDefaultFields)
        else { return false }
        return date.withUnsafeBufferPointer { head.date.equals($0) }
    }

    private mutating func encodeStart(_ head: borrowing HTTP2Session.ResponseHead) -> Bool {
        buffer.removeAll(keepingCapacity: 4096)
        fields.removeAll()
        fields.append(status: head.status)
        fields.append(date: head.date)
        fields.append(head.fields, head.defaultFields)
        reusable = 1
        guard deflate() else { return false }
        guard reusable > 0 else { return true }
        reusable = buffer.count
        (status, lastFields, lastDefaultFields) = (head.status, head.fields, head.defaultFields)
        if !date.withUnsafeBufferPointer({ head.date.equals($0) }) { date = Array(head.date) }
        return true
    }

    /// Appends the fields to the block.
    ///
    /// If they change the table, the block isn't reusable.
    private mutating func deflate() -> Bool {
        let bound = fields.withEntries { nghttp2_hd_deflate_bound(deflater, $0, $1) }
        let place = buffer.reserve(bound)
        let count = fields.withEntries {
            nghttp2_hd_deflate_hd(deflater, place, bound, $0, $1)
        }
        guard count >= 0 else { return false }
        buffer.commit(count)
        if Self.changesTable(ByteSpan(start: place, count: count)) { reusable = 0 }
        return true
    }

    /// Returns whether a block changes the decoder's table, by an entry or by its size (RFC 7541
    /// §6).
    static func changesTable(_ block: ByteSpan) -> Bool {
        var at = 0
        /// Reads an integer with a prefix of `bits` bits (§5.1).
        func integer(_ bits: Int) -> Int {
            guard at < block.count else { return 0 }
            let limit = 1 << bits - 1
            var value = Int(block[at]) & limit
            at += 1
            guard value == limit else { return value }
            var shift = 0
            while at < block.count, shift < 56 {
                value += Int(block[at] & 0x7F) << shift
                shift += 7
                at += 1
                if block[at - 1] < 0x80 { break }
            }
            return value
        }
        while at < block.count {
            if block[at] & 0x80 != 0 {
                _ = integer(7)
                continue
            }
            guard block[at] & 0x60 == 0 else { return true }
            if integer(4) == 0 { at += integer(7) }
            at += integer(7)
        }
        return false
    }
}
