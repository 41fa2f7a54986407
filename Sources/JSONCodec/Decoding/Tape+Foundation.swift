// The Foundation types whose own coding isn't what JSON clients expect. It encodes a date as seconds
// since 2001, and a decimal as its mantissa's words.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Tape {
    /// Whether `foundationValue` decodes the type.
    @inline(__always)
    static func isFoundation(_ type: Any.Type) -> Bool {
        type == Date.self || type == URL.self || type == UUID.self || type == Data.self
            || type == Decimal.self
    }

    /// Decodes a date, URL, UUID, data or decimal.
    func foundationValue<T>(_ type: T.Type, at index: Int) throws -> T {
        if type == Date.self { return same(try date(at: index), as: type) }
        if type == URL.self {
            let text = try string(at: index)
            // URL would percent-encode other characters, and so store another value.
            guard !text.isEmpty, URIReference.isValid(text), let url = URL(string: text),
                url.absoluteString.hasSameBytes(as: text)
            else {
                throw corrupted(at: index, "expected a URL")
            }
            return same(url, as: type)
        }
        if type == UUID.self {
            guard let uuid = UUID(uuidString: try string(at: index)) else {
                throw corrupted(at: index, "expected a UUID")
            }
            return same(uuid, as: type)
        }
        if type == Data.self {
            let text = try string(at: index)
            // Foundation ignores further padding characters (RFC 4648 §4).
            guard let data = Data(base64Encoded: text),
                text.utf8.count == (data.count + 2) / 3 * 4
            else {
                throw corrupted(at: index, "expected base64")
            }
            return same(data, as: type)
        }
        return same(try decimal(at: index), as: type)
    }

    private func date(at index: Int) throws -> Date {
        let text = try string(at: index)
        guard let seconds = Timestamp.seconds(text) else {
            throw corrupted(at: index, "expected a date and time such as 2026-01-31T12:00:00Z")
        }
        let date = Date(timeIntervalSince1970: seconds)
        // A date is a Double, which has fewer digits far from 2001.
        if let fraction = Timestamp.fraction(of: text), !fraction.isEmpty {
            let written = Timestamp.text(date.timeIntervalSince1970) ?? ""
            guard Timestamp.fraction(of: written)?.elementsEqual(fraction) == true else {
                let words =
                    fraction.count > 6
                    ? "expected a fraction of at most six digits"
                    : "expected a shorter fraction, as for all dates so far from 2001"
                throw corrupted(at: index, words)
            }
        }
        return date
    }

    private func decimal(at index: Int) throws -> Decimal {
        guard let number = number(at: index) else {
            throw mismatch(Decimal.self, at: index, "expected a number")
        }
        let text = String(decoding: number.bytes, as: UTF8.self)
        guard let exact = DecimalText(text), let value = Self.decimal(text, exact) else {
            throw corrupted(at: index, "out of range")
        }
        // Decimal rounds to 38 digits, and further to reach a large or small exponent.
        guard DecimalText(value.description).map({ exact.order(to: $0) == 0 }) == true else {
            throw corrupted(at: index, "expected a number of at most 38 digits")
        }
        return value
    }

    /// Returns a decimal; nil beyond its range.
    ///
    /// Foundation reads no power above 127: 2e128 is 20e127.
    private static func decimal(_ text: String, _ exact: DecimalText) -> Decimal? {
        if let value = Decimal(string: text), !value.isNaN { return value }
        let zeros = exact.exponent - 127
        guard zeros > 0, exact.digits.count + zeros <= 39 else { return nil }
        let digits = exact.digits + Array(repeating: 0, count: zeros)
        let shifted = (exact.isNegative ? "-" : "") + digits.map { "\($0)" }.joined() + "e127"
        return Decimal(string: shifted).flatMap { $0.isNaN ? nil : $0 }
    }
}
