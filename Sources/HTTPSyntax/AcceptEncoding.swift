/// Selects a response's content coding: gzip or none (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    /// Returns whether the client accepts gzip and prefers it to identity.
    ///
    /// - All Accept-Encoding lines form one list. Invalid members are skipped.
    /// - Without the field, or with an empty one, the response isn't coded.
    /// - A client that accepts neither identity nor gzip gets identity: §12.5.3 allows that or 406,
    ///   and a response is more useful.
    package static func prefersGzip(_ head: RequestHead) -> Bool {
        var weights = Weights()
        for line in head.fields where line.name.equals(lowercase: "accept-encoding") {
            line.value.forEachListMember { member in
                weights.note(member)
                return true
            }
        }
        return weights.prefersGzip
    }

    /// The weight of each coding in thousandths; nil if the list doesn't have it.
    private struct Weights {
        private var gzip: UInt16?
        private var identity: UInt16?
        private var any: UInt16?

        /// Whether gzip is listed by name or "*", not excluded, and weighted at least as identity.
        var prefersGzip: Bool {
            guard let gzip = gzip ?? any, gzip > 0 else { return false }
            // Identity is acceptable even if it isn't listed (§12.5.3, rule 2).
            return gzip >= identity ?? any ?? 0
        }

        /// Adds one list member: `coding [OWS ";" OWS "q=" qvalue]`.
        ///
        /// Of duplicates the lesser weight counts, so that an exclusion wins.
        mutating func note(_ member: ByteSpan) {
            let end = member.firstIndex(of: 0x3B) ?? member.count
            var weight: UInt16 = 1000
            if end < member.count {
                let parameter = member.slice(end + 1, member.count).trimmed
                guard let read = parameter.qualityValue else { return }
                weight = read
            }
            let coding = member.slice(0, end).trimmed
            if coding.namesGzip {
                gzip = min(gzip ?? weight, weight)
            } else if coding.equals(lowercase: "identity") {
                identity = min(identity ?? weight, weight)
            } else if coding.equals("*") {
                any = min(any ?? weight, weight)
            }
        }
    }
}

extension ByteSpan {
    /// Whether the coding is gzip; `x-gzip` is equivalent (RFC 9110 §8.4.1.3).
    var namesGzip: Bool { equals(lowercase: "gzip") || equals(lowercase: "x-gzip") }
}
