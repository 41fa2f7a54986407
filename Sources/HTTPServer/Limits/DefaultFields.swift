import HTTPSyntax

/// The fields that all responses of a server carry, unless a response has its own.
///
/// Each combination is made once, so that a response costs one more copy.
package struct DefaultFields: Sendable {
    /// The fields that a response goes without.
    package struct Omissions: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `X-Content-Type-Options` (Fetch Standard §3.6).
        package static let contentTypeOptions = Omissions(rawValue: 1)
        /// `Cross-Origin-Resource-Policy` (Fetch Standard §3.7).
        package static let resourcePolicy = Omissions(rawValue: 2)
        /// `Strict-Transport-Security` (RFC 6797).
        package static let transportSecurity = Omissions(rawValue: 4)
    }

    /// The fields by omissions.
    private let combinations: [ResponseFields]

    /// No fields.
    package init() { combinations = [] }

    /// The fields against content sniffing and foreign pages.
    ///
    /// `transportSecurity` is the number of seconds in which browsers use only HTTPS; nil for no
    /// such field.
    package init(transportSecurity seconds: Int?) {
        combinations = (0..<UInt8(8)).map { number in
            let omissions = Omissions(rawValue: number)
            var fields: [(name: String, value: String)] = []
            if !omissions.contains(.contentTypeOptions) {
                fields.append(("X-Content-Type-Options", "nosniff"))
            }
            if !omissions.contains(.resourcePolicy) {
                fields.append(("Cross-Origin-Resource-Policy", "same-origin"))
            }
            if let seconds, !omissions.contains(.transportSecurity) {
                fields.append(("Strict-Transport-Security", "max-age=\(seconds)"))
            }
            return ResponseFields(fields)
        }
    }

    /// The fields of a response.
    @inline(__always)
    subscript(without omissions: Omissions) -> ResponseFields {
        let number = Int(omissions.rawValue)
        return number < combinations.count ? combinations[number] : [:]
    }
}
