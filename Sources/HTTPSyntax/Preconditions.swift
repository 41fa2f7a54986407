/// A resource's validators, which its responses include (RFC 9110 §8.8).
package struct Validators: Sendable {
    /// The strong entity tag, including its quotes.
    package var etag: [UInt8]
    /// The time of the last change, in whole seconds since 1970.
    package var lastModified: Int

    package init(etag: [UInt8], lastModified: Int) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

/// Conditional requests (RFC 9110 §13), evaluated in the order of §13.2.2.
package enum Preconditions {
    package enum Verdict: Equatable {
        case proceed, notModified, failed
    }

    /// Evaluates a GET or HEAD of an existing resource.
    package static func evaluate(
        _ head: RequestHead,
        _ validators: Validators,
        now: Int
    ) -> Verdict {
        guard !head.fields.isEmpty else { return .proceed }
        var ifMatch: Bool?
        var ifNoneMatch: Bool?
        var ifModifiedSince = Date()
        var ifUnmodifiedSince = Date()
        for line in head.fields {
            switch line.name.count {
            case 8 where line.name.equals(lowercase: "if-match"):
                ifMatch = (ifMatch ?? false) || matches(line.value, validators.etag, strong: true)
            case 13 where line.name.equals(lowercase: "if-none-match"):
                ifNoneMatch =
                    (ifNoneMatch ?? false) || matches(line.value, validators.etag, strong: false)
            case 17 where line.name.equals(lowercase: "if-modified-since"):
                ifModifiedSince.read(line.value, now: now)
            case 19 where line.name.equals(lowercase: "if-unmodified-since"):
                ifUnmodifiedSince.read(line.value, now: now)
            default: break
            }
        }
        if let ifMatch {
            guard ifMatch else { return .failed }
        } else if let date = ifUnmodifiedSince.seconds, validators.lastModified > date {
            return .failed
        }
        if let ifNoneMatch { return ifNoneMatch ? .notModified : .proceed }
        if let date = ifModifiedSince.seconds, validators.lastModified <= date {
            return .notModified
        }
        return .proceed
    }

    /// Evaluates a GET or HEAD of a resource with an entity tag and without a date.
    ///
    /// Date conditions are ignored (RFC 9110 §13.1.3, §13.1.4).
    package static func evaluate(_ head: RequestHead, etag: [UInt8]) -> Verdict {
        guard !head.fields.isEmpty else { return .proceed }
        var ifMatch: Bool?
        var ifNoneMatch: Bool?
        for line in head.fields {
            switch line.name.count {
            case 8 where line.name.equals(lowercase: "if-match"):
                ifMatch = (ifMatch ?? false) || matches(line.value, etag, strong: true)
            case 13 where line.name.equals(lowercase: "if-none-match"):
                ifNoneMatch = (ifNoneMatch ?? false) || matches(line.value, etag, strong: false)
            default: break
            }
        }
        if ifMatch == false { return .failed }
        return ifNoneMatch == true ? .notModified : .proceed
    }

    /// A field's date; nil if the field is repeated, like any invalid date (RFC 9110 §13.1.3,
    /// §13.1.4).
    private struct Date {
        private var isThere = false
        private(set) var seconds: Int?

        mutating func read(_ value: ByteSpan, now: Int) {
            seconds = isThere ? nil : HTTPDate.parse(value, now: now)
            isThere = true
        }
    }

    /// Returns whether `If-Range` allows a range response (RFC 9110 §13.1.5).
    ///
    /// It needs a strong tag, or the exact date of the last change after that second has passed.
    /// Within that second the content may change again (§8.8.2.2).
    package static func rangeCounts(
        _ head: RequestHead,
        _ validators: Validators,
        now: Int
    ) -> Bool {
        guard let value = head.field("if-range") else { return true }
        // Two validators are invalid.
        guard head.count(of: "if-range") == 1 else { return false }
        if value.first == 0x22 { return value.elementsEqual(validators.etag) }
        return validators.lastModified < now
            && HTTPDate.parse(value, now: now) == validators.lastModified
    }

    private static func matches(_ list: ByteSpan, _ etag: [UInt8], strong: Bool) -> Bool {
        list.hasEntityTag(strong: strong) { $0.elementsEqual(etag) }
    }
}
