import Locking

/// An object's text with the places of its members.
///
/// - Note: `@unchecked Sendable` is safe: nothing changes the members after the scan.
final class ScannedObject: @unchecked Sendable {
    private let bytes: [UInt8]
    private let range: Range<Int>
    private let level: Int
    private let members: ScannedMembers
    private let table: [UInt32]
    /// The nested arrays and objects that were read, by their places; nil if there are none.
    private let containers: Locked<[Int: RawJSON]>?

    /// Scans a part of a document; nil if it isn't an object or isn't valid.
    ///
    /// The level is the number of containers around it in the document.
    init?(_ bytes: [UInt8], _ range: Range<Int>, level: Int) {
        let scan = bytes.withUnsafeBytes { bytes in
            ObjectScan.scan(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        guard let scan else { return nil }
        self.bytes = bytes
        self.range = range
        self.level = level
        members = scan.members
        table = scan.table
        containers = scan.hasContainers ? Locked([:]) : nil
    }

    deinit { members.deallocate() }

    /// Returns the place of a member; nil if there is none of this name.
    func place(of name: consuming String) -> Int? {
        span(0..<range.count) { bytes in
            name.withUTF8 { members.place(of: UnsafeRawBufferPointer($0), in: bytes, table) }
        }
    }

    /// Calls `body` with the bytes of a part.
    private func span<R>(_ part: Range<Int>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let part = range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    private func firstByte(of place: Int) -> UInt8 {
        bytes[range.lowerBound + members.base[place].value.lowerBound]
    }
}

// MARK: Values

extension ScannedObject {
    /// Returns a member that is an array or an object; nil for a scalar.
    ///
    /// It is parsed at its first reading.
    func container(_ place: Int) -> RawJSON? {
        let first = firstByte(of: place)
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        if let read = containers?.withLock({ $0[place] }) { return read }
        let value = members.base[place].value
        let part = range.lowerBound + value.lowerBound..<range.lowerBound + value.upperBound
        // The scan of this object has accepted the value.
        guard let read = try? RawJSON(bytes, part, level: level + 1) else { return nil }
        containers?.withLock { $0[place] = read }
        return read
    }

    /// Returns the type of a scalar, and the Boolean if it is one.
    func scalar(_ place: Int) -> (kind: RawJSON.Kind, bool: Bool?) {
        switch firstByte(of: place) {
        case UInt8(ascii: "n"): (.null, nil)
        case UInt8(ascii: "t"): (.bool, true)
        case UInt8(ascii: "f"): (.bool, false)
        case UInt8(ascii: "\""): (.string, nil)
        default: (.number, nil)
        }
    }

    /// Returns a string without its escapes; nil for another value.
    func string(_ place: Int) -> String? {
        guard firstByte(of: place) == UInt8(ascii: "\"") else { return nil }
        let member = members.base[place]
        return span(member.value.dropFirst().dropLast()) { bytes in
            member.isValueEscaped
                ? UnescapedBytes.string(bytes) : String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads a number; nil for another value.
    func number<R>(_ place: Int, _ read: (NumberText) -> R?) -> R? {
        guard scalar(place).kind == .number else { return nil }
        return span(members.base[place].value) { read(NumberText($0)) }
    }

    /// The object as a tree.
    var json: JSON { span(0..<range.count) { (try? JSON(parsing: $0)) ?? .null } }

    /// Returns a member as a tree.
    func json(_ place: Int) -> JSON {
        span(members.base[place].value) { (try? JSON(parsing: $0)) ?? .null }
    }

    /// The object's text.
    var text: String {
        span(0..<range.count) { bytes in
            let start = bytes.firstIndex { $0 > 0x20 } ?? 0
            let end = bytes.lastIndex { $0 > 0x20 } ?? 0
            return String(decoding: bytes[start...end], as: UTF8.self)
        }
    }

    /// Returns a member's text.
    func text(_ place: Int) -> String {
        span(members.base[place].value) { String(decoding: $0, as: UTF8.self) }
    }
}
