package import HTTPSyntax
import JSONCodec

/// Reads contexts from requests: from query items and from JSON in a header field.
///
/// A query's values are texts. Dots in a name separate levels: `user.plan=pro` in the query is
/// `{"user": {"plan": "pro"}}` in the field. Each name may occur once.
package struct ContextReader {
    /// The items, in order.
    private var items: [Value.Member] = []
    /// The index of the targeting key's item; -1 for none.
    private var keyPlace = -1
    /// Names that are parsed already.
    private let names: [Name]
    private var isNested = false
    private var size = 0

    /// Reads a context.
    ///
    /// - Parameters:
    ///   - query: the raw query, without the `?`.
    ///   - field: the value of the field `Plugboard-Context`.
    ///   - targetingKey: the verified user of the request. It overrides the key in the query and
    ///     field.
    ///   - timestamp: the time in seconds since 1970.
    ///   - names: likely names, parsed in advance.
    /// - Returns: the context of query and field together.
    /// - Throws: the first problem with either.
    package static func context(
        query: ByteSpan?,
        field: ByteSpan? = nil,
        targetingKey: String? = nil,
        timestamp: Int64? = nil,
        names: [Name] = []
    ) throws(InvalidContext) -> TargetingContext {
        var reader = ContextReader(names: names)
        if let query { try reader.read(query) }
        var context =
            field == nil && !reader.isNested
            ? reader.plainContext(targetingKey)
            : try reader.fullContext(field, targetingKey)
        context.timestamp = timestamp
        return context
    }

    /// Returns the context of items without dots, which most requests have.
    ///
    /// Limits are checked already.
    private consuming func plainContext(_ targetingKey: String?) -> TargetingContext {
        var key = targetingKey
        if let targetingKey {
            let item = Value.Member(name: .targetingKey, value: .text(targetingKey))
            if keyPlace >= 0 { items[keyPlace] = item } else { items.append(item) }
        } else if keyPlace >= 0, case .text(let text) = items[keyPlace].value {
            key = text
        }
        return TargetingContext(root: .members(Value.Members(plain: items)), targetingKey: key)
    }

    /// Returns the context of items with dots, or of a field.
    private func fullContext(
        _ field: ByteSpan?,
        _ targetingKey: String?
    ) throws(InvalidContext) -> TargetingContext {
        var properties: JSON.Object = [:]
        if let field { properties = try Self.properties(field) }
        var queried: JSON.Object = [:]
        for item in items {
            let name = item.name.text
            let path = Path.names(name)
            guard path.count <= TargetingContext.maximumDepth else {
                throw InvalidContext("in the query \(name) nests too deep")
            }
            guard !path.contains("") else {
                throw InvalidContext("\(name) in the query has an empty name beside a dot")
            }
            guard case .text(let text) = item.value, Self.add(text, path[...], to: &queried) else {
                throw InvalidContext("\(name) in the query conflicts with another name")
            }
        }
        for (name, value) in queried {
            guard properties[name] == nil else {
                throw InvalidContext("the query and Plugboard-Context both have \(name)")
            }
            properties[name] = value
        }
        do throws(TargetingError) {
            return try TargetingContext(targetingKey: targetingKey, properties: properties)
        } catch {
            throw InvalidContext("the context: " + (error.problems.first?.description ?? ""))
        }
    }

    private static func properties(
        _ field: ByteSpan
    ) throws(InvalidContext) -> JSON.Object {
        let json: JSON
        do {
            json = try JSON(parsing: field)
        } catch {
            throw InvalidContext("Plugboard-Context is not JSON: \(error)")
        }
        guard case .object(let properties) = json else {
            throw InvalidContext("Plugboard-Context must be a JSON object")
        }
        return properties
    }

    /// Adds a text at a path; returns false if another value is already there or on the way.
    private static func add(
        _ text: String,
        _ path: ArraySlice<String>,
        to object: inout JSON.Object
    ) -> Bool {
        guard let name = path.first else { return false }
        if path.count == 1 {
            guard object[name] == nil else { return false }
            object[name] = .string(text)
            return true
        }
        var inner: JSON.Object
        switch object[name] {
        case .object(let members): inner = members
        case nil: inner = [:]
        default: return false
        }
        guard add(text, path.dropFirst(), to: &inner) else { return false }
        object[name] = .object(inner)
        return true
    }
}

// MARK: The query

extension ContextReader {
    /// Reads the items of a query.
    private mutating func read(_ query: ByteSpan) throws(InvalidContext) {
        items.reserveCapacity(8)
        var rest = QueryItems(query)
        while let item = rest.next() { try add(item) }
    }

    private mutating func add(_ item: QueryItems.Item) throws(InvalidContext) {
        guard items.count < TargetingContext.maximumCount else {
            throw InvalidContext(
                "the query has more than \(TargetingContext.maximumCount) items"
            )
        }
        let name = try name(of: item)
        guard let text = item.valueText else {
            throw InvalidContext(
                "\(name.text) in the query is not percent-encoded UTF-8 without NUL"
            )
        }
        // Comparing short names is faster than hashing them, and there are at most 256.
        for at in items.indices where items[at].name.isSame(as: name) {
            throw InvalidContext("the query has \(name.text) twice")
        }
        size &+= name.count &+ text.utf8.count
        guard size <= TargetingContext.maximumSize else {
            throw InvalidContext("the query has more than 16 KiB of names and texts")
        }
        if name.isSame(as: .targetingKey) { keyPlace = items.count }
        items.append(Value.Member(name: name, value: .text(text)))
    }

    /// Returns the name of an item: one of the known names, or a new one.
    @inline(__always)
    private mutating func name(of item: QueryItems.Item) throws(InvalidContext) -> Name {
        guard !item.name.isEmpty else { throw InvalidContext("an item of the query has no name") }
        if item.isPlain, let name = Name.known(item.name, among: names) { return name }
        guard let text = item.nameText else {
            throw InvalidContext("a name in the query is not percent-encoded UTF-8 without NUL")
        }
        // No known name has a dot.
        if text.utf8.contains(UInt8(ascii: ".")) { isNested = true }
        return Name(text)
    }
}

/// The reason why a request's context is invalid, as the client may read it.
package struct InvalidContext: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// The field occurs more than once, and a proxy may evaluate another occurrence.
    package static let severalFields = InvalidContext("there is more than one Plugboard-Context")

    init(_ description: String) { self.description = description }
}
