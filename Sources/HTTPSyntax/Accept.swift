/// Which of the media types that a server has a client wants (RFC 9110 §12.5.1).
package enum Accept {
    /// The offer that a request's Accept wants the most, the first of those it wants alike; nil
    /// where it wants none of them.
    ///
    /// Offers are media types in lower case without parameters, so a range with parameters matches
    /// none of them. Without the field everything is wanted. A member that isn't valid is passed
    /// over; where none is left, the field counts as absent.
    package static func preferred(_ offers: [StaticString], _ head: RequestHead) -> Int? {
        var claims = [Claim?](repeating: nil, count: offers.count)
        var isSilent = true
        for line in head.fields where line.name.equals(lowercase: "accept") {
            line.value.forEachListMember { member in
                guard let range = MediaRange(member) else { return true }
                isSilent = false
                for index in offers.indices {
                    guard let precision = range.precision(for: offers[index]) else { continue }
                    var weight = range.weight
                    if let claim = claims[index] {
                        if claim.precision > precision { continue }
                        // Of what is said twice the less counts, so that an exclusion is one.
                        if claim.precision == precision { weight = min(weight, claim.weight) }
                    }
                    claims[index] = Claim(precision: precision, weight: weight)
                }
                return true
            }
        }
        guard !isSilent else { return offers.isEmpty ? nil : 0 }
        var best: (index: Int, weight: UInt16)?
        for (index, claim) in claims.enumerated() {
            guard let claim, claim.weight > best?.weight ?? 0 else { continue }
            best = (index, claim.weight)
        }
        return best?.index
    }

    /// What the most precise range says of an offer (§12.5.1).
    private struct Claim {
        let precision: Int
        let weight: UInt16
    }
}

/// One member of an Accept field: `( "*/*" / type "/*" / type "/" subtype ) parameters [ weight ]`.
private struct MediaRange {
    private let type: ByteSpan
    private let subtype: ByteSpan
    private let hasParameters: Bool
    let weight: UInt16

    init?(_ member: ByteSpan) {
        var end = member.firstIndex(of: 0x3B) ?? member.count
        let essence = member.slice(0, end).trimmed
        guard let slash = essence.firstIndex(of: 0x2F) else { return nil }
        type = essence.slice(0, slash)
        subtype = essence.slice(slash + 1, essence.count)
        guard type.isToken, subtype.isToken, !type.equals("*") || subtype.equals("*") else {
            return nil
        }
        var weight: UInt16 = 1000
        var hasParameters = false
        while end < member.count {
            let start = end + 1
            end = member.endOfParameter(from: start)
            let parameter = member.slice(start, end).trimmed
            if let value = parameter.qualityValue {
                weight = value
                // What may follow the weight is no part of the range.
                break
            }
            if parameter.count > 1, ByteClass.lowercased(parameter[0]) == 0x71, parameter[1] == 0x3D
            {
                return nil
            }
            if !parameter.isEmpty { hasParameters = true }
        }
        self.weight = weight
        self.hasParameters = hasParameters
    }

    /// How precisely it names a media type, nil where it doesn't.
    func precision(for offer: StaticString) -> Int? {
        guard !hasParameters else { return nil }
        let offer = ByteSpan(start: offer.utf8Start, count: offer.utf8CodeUnitCount)
        guard let slash = offer.firstIndex(of: 0x2F) else { return nil }
        if type.equals("*") { return 0 }
        guard type.equals(ignoringCase: offer.slice(0, slash)) else { return nil }
        if subtype.equals("*") { return 1 }
        return subtype.equals(ignoringCase: offer.slice(slash + 1, offer.count)) ? 2 : nil
    }
}

extension ByteSpan {
    /// Where the parameter ends that begins there: at a ";" that is in no quoted string (RFC 9110
    /// §5.6.6).
    fileprivate func endOfParameter(from start: Int) -> Int {
        var isQuoted = false
        var isEscaped = false
        for index in start..<count {
            let byte = self[index]
            if isEscaped {
                isEscaped = false
            } else if byte == 0x22 {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == 0x5C
            } else if byte == 0x3B {
                return index
            }
        }
        return count
    }

    fileprivate var isToken: Bool { !isEmpty && allSatisfy(ByteClass.isToken) }
}
