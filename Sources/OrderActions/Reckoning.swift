/// A sum that no integer holds.
///
/// What was stored may have been stored by another version: it is reckoned with care, since a trap would
/// end the process for everybody.
struct OutOfRange: Error {}

extension Int {
    func plus(_ other: Int) throws(OutOfRange) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        if isOver { throw OutOfRange() }
        return sum
    }

    func times(_ other: Int) throws(OutOfRange) -> Int {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        if isOver { throw OutOfRange() }
        return product
    }
}

extension Product {
    /// What so many cost, in cents.
    func price(of count: Int) throws(OutOfRange) -> Int { try price.times(count) }

    /// Takes so many out of the stock.
    mutating func take(_ count: Int) throws(SoldOut) {
        guard count >= 0, stock >= count else { throw SoldOut(self) }
        stock -= count
    }

    /// Puts so many back, as far as the stock holds them: another shipment may have come meanwhile.
    mutating func putBack(_ count: Int) {
        stock = (try? stock.plus(count)).map { min($0, Self.greatestStock) } ?? Self.greatestStock
    }
}
