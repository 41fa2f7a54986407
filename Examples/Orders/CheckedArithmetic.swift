/// An integer overflow.
///
/// Another version may have stored greater values. A trap would end the whole server.
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
    /// Returns the price of `count` pieces, in cents.
    func price(of count: Int) throws(OutOfRange) -> Int { try price.times(count) }

    /// Takes `count` pieces out of the stock.
    mutating func take(_ count: Int) throws(SoldOut) {
        guard count >= 0, stock >= count else { throw SoldOut(self) }
        stock -= count
    }

    /// Returns `count` pieces to the stock, up to its limit: a shipment may have filled it.
    mutating func restoreEdit(_ count: Int) {
        stock = (try? stock.plus(count)).map { min($0, Self.maximumStock) } ?? Self.maximumStock
    }
}
