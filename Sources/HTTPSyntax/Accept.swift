/// Selects a media type by a request's Accept field (RFC 9110 §12.5.1).
package enum Accept {
    /// Returns the offer that the client prefers, the first of equal ones.
    ///
    /// - The most specific range that matches an offer decides its weight.
    /// - A range with a parameter that the offer doesn't have doesn't match it.
    /// - Without the field every type is accepted.
    /// - Invalid members are skipped. If none is left, the field counts as absent.
    ///
    /// - Parameters:
    ///   - offers: The server's media types, best first.
    ///   - head: The request's head.
    ///   - ignoresUnknownParameters: Whether a range matches an offer that lacks one of the range's
    ///     parameters. A parameter with a different value never matches.
    /// - Returns: The offer's index; nil if the client accepts none.
    package static func preferred(
        _ offers: [StaticString],
        _ head: RequestHead,
        ignoresUnknownParameters: Bool = false
    ) -> Int? {
        var claims = [Claim?](repeating: nil, count: offers.count)
        var isAbsent = true
        for line in head.fields where line.name.equals(lowercase: "accept") {
            line.value.forEachListMember { member in
                guard let range = MediaRange(member) else { return true }
                isAbsent = false
                for index in offers.indices {
                    guard
                        let claim = range.claim(
                            on: MediaType(offers[index]),
                            ignoresUnknownParameters
                        )
                    else { continue }
                    claims[index] = claims[index].map { $0.combined(with: claim) } ?? claim
                }
                return true
            }
        }
        guard !isAbsent else { return offers.isEmpty ? nil : 0 }
        var best: (index: Int, weight: UInt16)?
        for (index, claim) in claims.enumerated() {
            guard let claim, claim.weight > best?.weight ?? 0 else { continue }
            best = (index, claim.weight)
        }
        return best?.index
    }
}

/// The weight of a range for an offer, and the range's specificity.
private struct Claim {
    /// 0 for `*/*`, 1 for `type/*`, 2 for `type/subtype`.
    let level: Int
    /// The number of parameters that the range and the offer share.
    let parameters: Int
    let weight: UInt16

    /// Returns the more specific claim, or the lesser weight of equal ones, so that an exclusion
    /// wins.
    func combined(with other: Claim) -> Claim {
        let (own, others) = ((level, parameters), (other.level, other.parameters))
        return own == others ? (weight < other.weight ? self : other) : own > others ? self : other
    }
}

/// One member of an Accept field: `( "*/*" / type "/*" / type "/" subtype ) parameters [ weight ]`.
private struct MediaRange {
    private let type: ByteSpan
    private let subtype: ByteSpan
    /// The member without its weight.
    private let media: MediaType
    private let weight: UInt16

    init?(_ member: ByteSpan) {
        let essence = MediaType(member).essence
        guard let slash = essence.firstIndex(of: 0x2F) else { return nil }
        type = essence.slice(0, slash)
        subtype = essence.slice(slash + 1, essence.count)
        guard type.isToken, subtype.isToken, !type.equals("*") || subtype.equals("*") else {
            return nil
        }
        var weight: UInt16? = 1000
        var end = member.count
        MediaType(member).forEachParameter { parameter in
            guard parameter.count > 1, ByteClass.lowercased(parameter[0]) == 0x71,
                parameter[1] == 0x3D
            else { return true }
            weight = parameter.qualityValue
            // Text after the weight isn't part of the range.
            end = parameter.baseAddress.flatMap { at in member.baseAddress.map { at - $0 } } ?? end
            return false
        }
        guard let weight else { return nil }
        self.weight = weight
        media = MediaType(member.slice(0, end))
    }

    /// Returns the claim on a media type; nil if the range doesn't match it.
    func claim(on offer: MediaType, _ ignoresUnknownParameters: Bool) -> Claim? {
        let essence = offer.essence
        guard let slash = essence.firstIndex(of: 0x2F) else { return nil }
        let level: Int
        if type.equals("*") {
            level = 0
        } else if !type.equals(ignoringCase: essence.slice(0, slash)) {
            return nil
        } else if subtype.equals("*") {
            level = 1
        } else if subtype.equals(ignoringCase: essence.slice(slash + 1, essence.count)) {
            level = 2
        } else {
            return nil
        }
        var parameters = 0
        var isNamed = true
        media.forEachParameter { parameter in
            switch offer.agreement(with: parameter) {
            case .same: parameters += 1
            case .absent where ignoresUnknownParameters: break
            case .other, .absent: isNamed = false
            }
            return isNamed
        }
        return isNamed ? Claim(level: level, parameters: parameters, weight: weight) : nil
    }
}

extension ByteSpan {
    fileprivate var isToken: Bool { !isEmpty && allSatisfy(ByteClass.isToken) }
}
