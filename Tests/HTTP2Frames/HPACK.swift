internal import CNghttp2

/// Field lists on the wire (RFC 7541).
package enum HPACK {
    /// Encodes fields as literals without index and without Huffman codes, whatever is in them.
    package static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0x00] + string(name) + string(value) }
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return integer(bytes.count, bits: 7) + bytes
    }

    /// An integer with a prefix of so many bits (RFC 7541 §5.1).
    package static func integer(_ number: Int, bits: Int) -> [UInt8] {
        let limit = 1 << bits - 1
        guard number >= limit else { return [UInt8(number)] }
        var bytes = [UInt8(limit)]
        var rest = number - limit
        while rest >= 128 {
            bytes.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return bytes + [UInt8(rest)]
    }

    /// Reads the field lists of one connection, in their order.
    package final class Decoder {
        private var inflater: OpaquePointer?

        package init() { nghttp2_hd_inflate_new(&inflater) }

        deinit { nghttp2_hd_inflate_del(inflater) }

        package func decode(_ block: [UInt8]) -> [(name: String, value: String)] {
            var fields: [(String, String)] = []
            var rest = block
            while true {
                var entry = nghttp2_nv()
                var flags: CInt = 0
                let count = nghttp2_hd_inflate_hd2(inflater, &entry, &flags, rest, rest.count, 1)
                guard count >= 0 else { return fields }
                rest.removeFirst(count)
                if flags & CInt(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                    fields.append(
                        (text(entry.name, entry.namelen), text(entry.value, entry.valuelen))
                    )
                }
                if flags & CInt(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
                if count == 0, flags == 0 { break }
            }
            nghttp2_hd_inflate_end_headers(inflater)
            return fields
        }

        private func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
            String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
