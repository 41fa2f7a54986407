extension ByteSpan {
    /// The weight of a parameter `"q=" ( "0" [ "." 0*3DIGIT ] / "1" [ "." 0*3"0" ] )`, in
    /// thousandths.
    ///
    /// Nil if it isn't such a parameter (RFC 9110 §12.4.2).
    var qualityValue: UInt16? {
        guard (3...7).contains(count), ByteClass.lowercased(self[0]) == 0x71, self[1] == 0x3D,
            self[2] == 0x30 || self[2] == 0x31
        else { return nil }
        var weight = UInt16(self[2] - 0x30) * 1000
        guard count > 3 else { return weight }
        guard self[3] == 0x2E else { return nil }
        var place: UInt16 = 100
        for digit in slice(4, count) {
            guard ByteClass.isDigit(digit) else { return nil }
            weight += UInt16(digit - 0x30) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
