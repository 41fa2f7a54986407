/// Which content coding a client takes, of those the server has: gzip, or none (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    /// Tells whether a request's answer may be sent gzip-coded, and better so than as it is.
    ///
    /// All its Accept-Encoding lines are one list; a member that isn't valid is passed over. Without
    /// the field, or with an empty one, nothing is coded. A client that excludes "identity" and
    /// takes no gzip gets identity all the same: §12.5.3 leaves that or a 406 to the server, and an
    /// answer is of more use.
    package static func takesGzip(_ head: RequestHead) -> Bool {
        var weights = Weights()
        for line in head.fields where line.name.equals(lowercase: "accept-encoding") {
            line.value.forEachListMember { member in
                weights.note(member)
                return true
            }
        }
        return weights.takesGzip
    }

    /// What the list says of each coding, in thousandths; nil where it is silent.
    private struct Weights {
        private var gzip: UInt16?
        private var identity: UInt16?
        private var any: UInt16?

        /// gzip is named by itself or by "*", not excluded, and wanted no less than identity.
        var takesGzip: Bool {
            guard let gzip = gzip ?? any, gzip > 0 else { return false }
            // An identity that isn't listed is acceptable, no more (§12.5.3, rule 2).
            return gzip >= identity ?? any ?? 0
        }

        /// Takes one member of the list into account: `coding [OWS ";" OWS "q=" qvalue]`.
        ///
        /// Of what is said twice the less counts, so that an exclusion is one.
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
    /// A recipient takes `x-gzip` for `gzip` (RFC 9110 §8.4.1.3).
    var namesGzip: Bool { equals(lowercase: "gzip") || equals(lowercase: "x-gzip") }
}
