import Digests

/// The last row of the administration's audit, to which the next row is chained.
package struct AdministrationHead: Sendable, Equatable {
    /// The row's number; 0 if there is no row.
    package let sequence: Int
    /// The row's hash; zeros if there is no row.
    package let hash: String

    package init(sequence: Int, hash: String) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The place before the first row.
    package static let none = AdministrationHead(sequence: 0, hash: ChainHash.start)
}

extension AdministrationHead {
    /// The head after a row.
    package init(_ row: AdministrationRow) { self.init(sequence: row.sequence, hash: row.hash) }
}
