package import HTTPSyntax
import JSONCodec

/// Reads contexts as requests carry them: the items of a query, and JSON in a field.
///
/// A query's values are texts, and dots in a name lead into what lies within: `user.plan=pro` is
/// what `{"user": {"plan": "pro"}}` is in the field. Each name may be given once.
package struct ContextReader {
    /// The items in order, while none has a dot in its name.
    private var items: [Value.Member] = []
    /// Which of them is the targeting key; -1 for none.
    private var keyPlace = -1
    /// The names that are made already.
    private let names: [Name]
    private var isNested = false
    private var size = 0

    /// Reads a context.
    ///
    /// - Parameters:
    ///   - query: the query as it was on the wire, without the `?`.
    ///   - field: the value of the field `Plugboard-Context`.
    ///   - targetingKey: who the request is known to be from, whatever it says itself.
    ///   - timestamp: the time in seconds since 1970.
    ///   - names: those that it is likely to have, so that they needn't be made.
    /// - Returns: the context of both together.
    /// - Throws: what is wrong with it.
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

    /// The context of plain items, which are within the bounds by then: what most requests have.
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

    /// The context of items with dots, and of a field.
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
            guard path.count <= TargetingContext.greatestDepth else {
                throw InvalidContext("in the query \(name) nests too deep")
            }
            guard !path.contains("") else {
                throw InvalidContext("in the query \(name) has a dot without a name beside it")
            }
            guard case .text(let text) = item.value, Self.add(text, path[...], to: &queried) else {
                throw InvalidContext("the query has \(name) and what lies within it")
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
            throw InvalidContext("Plugboard-Context is no JSON: \(error)")
        }
        guard case .object(let properties) = json else {
            throw InvalidContext("Plugboard-Context has to be a JSON object")
        }
        return properties
    }

    /// Adds a text along a path; false where another one is in the way.
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
        guard items.count < TargetingContext.greatestCount else {
            throw InvalidContext(
                "the query has more than \(TargetingContext.greatestCount) items"
            )
        }
        let name = try name(of: item)
        guard let text = item.valueText else {
            throw InvalidContext(
                "\(name.text) in the query is not percent-encoded UTF-8 without NUL"
            )
        }
        // Short names are compared faster than hashed, and there are no more than 256.
        for at in items.indices where items[at].name.isSame(as: name) {
            throw InvalidContext("the query has \(name.text) twice")
        }
        size &+= name.count &+ text.utf8.count
        guard size <= TargetingContext.greatestSize else {
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

/// A request's context that can't be read, and why, fit for the one who sent it.
package struct InvalidContext: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// The field is there more than once: whoever stands between may go by another one.
    package static let severalFields = InvalidContext("there is more than one Plugboard-Context")

    init(_ description: String) { self.description = description }
}
