// These types' own coding isn't what JSON clients expect.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Arena {
    /// Encodes a date, URL, UUID, data or decimal; returns false for another type.
    @inline(__always)
    func setFoundation<T: Encodable>(_ value: T, at node: Int) throws -> Bool {
        if T.self == Date.self {
            let date = same(value, as: Date.self)
            guard let text = Timestamp.text(date.timeIntervalSince1970) else {
                throw invalid(value, at: node, "not a date of the years 1 to 9999")
            }
            set(text, at: node)
        } else if T.self == URL.self {
            set(same(value, as: URL.self).absoluteString, at: node)
        } else if T.self == UUID.self {
            set(same(value, as: UUID.self).uuidString, at: node)
        } else if T.self == Data.self {
            set(same(value, as: Data.self).base64EncodedString(), at: node)
        } else if T.self == Decimal.self {
            let decimal = same(value, as: Decimal.self)
            guard !decimal.isNaN else { throw invalid(value, at: node, "not a finite number") }
            set(raw: decimal.description, at: node)
        } else {
            return false
        }
        return true
    }
}
