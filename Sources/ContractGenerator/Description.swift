import JSONCodec

/// An OpenAPI description with its local references.
struct Description {
    let root: JSON
    /// Whether it is OpenAPI 3.0, in which a reference replaces the members beside it.
    let isVersion30: Bool
    let title: String

    /// The maximum number of references that lead from one to the next.
    private static let maximumChain = 32

    /// - Throws: ``UnusableDescription`` for another format or version.
    init(_ root: JSON) throws(UnusableDescription) {
        guard root.object != nil else {
            throw UnusableDescription("The description isn't a JSON object.")
        }
        if let version = root["swagger"]?.string {
            throw UnusableDescription(
                "The description is Swagger \(SwiftText.line(version)). Convert it to OpenAPI 3.0, "
                    + "for example with swagger2openapi."
            )
        }
        guard let version = root["openapi"]?.string else {
            throw UnusableDescription(
                "The description has no member \"openapi\". Only OpenAPI 3.0 and 3.1 are supported."
            )
        }
        let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count >= 2, numbers[0] == "3", ["0", "1"].contains(numbers[1]) else {
            throw UnusableDescription(
                "The description is OpenAPI \(SwiftText.line(version)). Only OpenAPI 3.0 and 3.1 are "
                    + "supported. Convert it to one of them."
            )
        }
        guard root["paths"] == nil || root["paths"]?.object != nil else {
            throw UnusableDescription("/paths of the description isn't a JSON object.")
        }
        self.root = root
        isVersion30 = numbers[1] == "0"
        title = root["info"]?["title"]?.string ?? ""
    }

    /// Returns a value and its pointer after all references; nil if one leads to another document
    /// or to nothing.
    func resolved(_ value: JSON, at pointer: String) -> (value: JSON, pointer: String)? {
        var (value, pointer) = (value, pointer)
        for _ in 0..<Self.maximumChain {
            guard let reference = value["$ref"]?.string else { return (value, pointer) }
            guard let target = target(of: reference) else { return nil }
            (value, pointer) = (target, String(reference.dropFirst()))
        }
        return nil
    }

    /// Returns the value of a reference within the document: `#/components/schemas/Pet`.
    func target(of reference: String) -> JSON? {
        guard let tokens = Self.tokens(of: reference) else { return nil }
        var value: JSON? = root
        for token in tokens {
            guard let current = value else { return nil }
            value = current.array != nil ? Int(token).flatMap { current[$0] } : current[token]
        }
        return value
    }

    /// Returns the names in a reference; nil for one to another document.
    static func tokens(of reference: String) -> [String]? {
        if reference == "#" { return [] }
        guard reference.hasPrefix("#/") else { return nil }
        let tokens = reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
        var decoded: [String] = []
        for token in tokens {
            guard let text = String(token).removingPercents else { return nil }
            decoded.append(text.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        return decoded
    }

    /// Returns a name as a token of a JSON Pointer.
    static func token(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

extension String {
    /// The text without percent-coding (RFC 6901 §6); nil if it isn't UTF-8.
    fileprivate var removingPercents: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
