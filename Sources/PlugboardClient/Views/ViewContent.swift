import JSONCodec
import JSONPatch

/// The JSON that a view reads: the received text, or the value after changes.
public struct ViewContent: Sendable {
    private enum Value: Sendable {
        case raw(RawJSON)
        case changed(JSON, from: JSON)
        case made(JSON)
    }

    private var value: Value

    init(_ raw: RawJSON) { value = .raw(raw) }

    /// Creates the content of a value that the app itself makes.
    public init(_ json: JSON) { value = .made(json) }

    /// Parses a text, which printing shows as it is.
    ///
    /// - Throws: an error with its location if the text isn't JSON.
    public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        value = .raw(try RawJSON(parsing: bytes))
    }

    /// The whole value, with all of its members.
    public var json: JSON {
        switch value {
        case .raw(let raw): raw.json
        case .changed(let json, _), .made(let json): json
        }
    }

    /// The changes since the value was received or made, as a Merge Patch (RFC 7396).
    ///
    /// It is nil if no Merge Patch can express them: null within an object removes a member.
    public var mergePatch: JSON? {
        switch value {
        case .raw, .made: .object([:])
        case .changed(let json, let original): MergePatch.difference(from: original, to: json)
        }
    }

    /// The member of this name; nil if there is none or this isn't an object.
    subscript(name: String) -> ViewContent? {
        switch value {
        case .raw(let raw): raw.member(name).map { ViewContent($0) }
        case .changed(let json, _), .made(let json): json[name].map { ViewContent($0) }
        }
    }

    /// The elements; nil if this isn't an array.
    var elements: [ViewContent]? {
        switch value {
        case .raw(let raw): raw.elements?.map { ViewContent($0) }
        case .changed(let json, _), .made(let json): json.array?.map { ViewContent($0) }
        }
    }

    /// The scalar's value, if it has this type.
    var string: String? {
        read {
            $0.string
        } json: {
            $0.string
        }
    }
    var int: Int? {
        read {
            $0.int
        } json: {
            $0.int
        }
    }
    var double: Double? {
        read {
            $0.double
        } json: {
            $0.double
        }
    }
    var bool: Bool? {
        read {
            $0.bool
        } json: {
            $0.bool
        }
    }

    /// The type of the value in the terms of JSON.
    var kind: RawJSON.Kind {
        switch value {
        case .raw(let raw): raw.kind
        case .changed(let json, _), .made(let json):
            switch json {
            case .null: .null
            case .bool: .bool
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
        }
    }

    /// Changes a member, or removes it with nil; a value that isn't an object becomes one.
    mutating func set(_ name: String, to member: JSON?) {
        let old = json
        guard old[name] != member else { return }
        var new = old.object == nil ? JSON.object([:]) : old
        new[name] = member
        switch value {
        case .raw: value = .changed(new, from: old)
        case .changed(_, let original): value = .changed(new, from: original)
        case .made: value = .changed(new, from: old)
        }
    }

    private func read<Result>(
        raw: (RawJSON) -> Result?,
        json: (JSON) -> Result?
    ) -> Result? {
        switch value {
        case .raw(let value): raw(value)
        case .changed(let value, _), .made(let value): json(value)
        }
    }
}

extension ViewContent: Codable {
    /// Decodes any value; this codec's decoder converts nothing.
    public init(from decoder: any Decoder) throws { value = .raw(try RawJSON(from: decoder)) }

    /// Encodes the value with all of its members.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ViewContent: Hashable {
    /// Whether both are the same JSON.
    public static func == (left: ViewContent, right: ViewContent) -> Bool {
        left.json == right.json
    }

    /// Feeds the JSON to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension ViewContent: CustomStringConvertible {
    /// The received text, or the JSON after changes.
    public var description: String {
        switch value {
        case .raw(let raw): raw.description
        case .changed(let json, _), .made(let json): json.description
        }
    }
}

extension RawJSON.Kind {
    /// The type in words.
    var words: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
