/// The directives of a message's `Cache-Control` that a client's caches obey (RFC 9111 §5.2).
package struct CacheControl {
    /// Whether the response must not be stored.
    package private(set) var forbidsStoring = false
    /// Whether each use needs a validation.
    package private(set) var needsValidation = false
    /// Whether a stale response must not be used without a validation, also without a network.
    package private(set) var forbidsStale = false
    /// The seconds for which the response is fresh; nil without a valid number.
    package private(set) var maxAge: Int?

    /// Reads a field's value; nil is a message without the field.
    package init(_ field: String?) {
        for directive in (field ?? "").lowercased().split(separator: ",") {
            let words = directive.split(separator: "=").map {
                $0.filter { !" \t\"".contains($0) }
            }
            switch words.first {
            case "no-store": forbidsStoring = true
            case "no-cache": needsValidation = true
            case "must-revalidate": forbidsStale = true
            case "max-age" where words.count == 2 && maxAge == nil:
                maxAge = Int(words[1]).flatMap { $0 < 0 ? nil : $0 }
            default: continue
            }
        }
    }
}
