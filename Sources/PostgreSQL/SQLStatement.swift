/// A statement with parameters, whose values are never part of its text.
///
/// It is a literal whose interpolations become parameters:
/// `"SELECT bytes FROM revision WHERE name = \(name)"`. A String can't become a statement by
/// accident.
public struct SQLStatement: Sendable, ExpressibleByStringInterpolation {
    /// The text between the parameters: one piece more than there are parameters.
    private let pieces: [String]
    /// The values of the parameters, in order.
    public let parameters: [SQLValue]

    /// Creates a statement without parameters.
    public init(stringLiteral text: String) {
        pieces = [text]
        parameters = []
    }

    /// Creates a statement from a literal's parts.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
        parameters = stringInterpolation.parameters
    }

    /// The text for the server, with numbered parameters.
    var text: String {
        var text = pieces[0]
        for (index, piece) in pieces.dropFirst().enumerated() { text += "$\(index + 1)" + piece }
        return text
    }

    /// The text with the parameters as literals, for an operator.
    var literalText: String {
        zip(parameters, pieces.dropFirst()).reduce(pieces[0]) { $0 + $1.0.literal + $1.1 }
    }

    /// The text with a `?` for each parameter, as SQLite reads it.
    package var positionalText: String { pieces.joined(separator: "?") }

    /// The collector of a literal's parts.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces = [""]
        fileprivate var parameters: [SQLValue] = []

        /// Creates an empty collector.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount + 1)
            parameters.reserveCapacity(interpolationCount)
        }

        /// Appends a part of the text.
        public mutating func appendLiteral(_ literal: String) {
            pieces[pieces.count - 1] += literal
        }

        /// Appends a parameter.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            parameters.append(value.sqlValue)
            pieces.append("")
        }

        /// Appends an optional value; nil becomes NULL.
        public mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
            parameters.append(value.sqlValue)
            pieces.append("")
        }

        /// Appends a statement with its own parameters.
        public mutating func appendInterpolation(_ part: SQLStatement) {
            pieces[pieces.count - 1] += part.pieces[0]
            pieces += part.pieces.dropFirst()
            parameters += part.parameters
        }
    }
}

/// A statement's parameters in libpq's form.
///
/// All but bytes are sent as text, so that the server infers a String's type from its context.
struct SQLParameters {
    private(set) var types: [UInt32] = []
    private(set) var formats: [CInt] = []
    private(set) var lengths: [CInt] = []
    private var offsets: [Int?] = []
    private var content: [UInt8] = []

    /// Creates the parameters; throws for text with a NUL, which PostgreSQL can't store.
    init(_ values: [SQLValue]) throws(PostgreSQLError) {
        for value in values {
            switch value {
            case .null: append(nil, type: 0)
            case .bool(let value): append(text: value ? "t" : "f", type: SQLType.bool)
            case .int(let value): append(text: String(value), type: SQLType.int8)
            case .double(let value): append(text: "\(value)", type: SQLType.float8)
            case .text(let value):
                guard !value.utf8.contains(0) else {
                    throw PostgreSQLError(.misuse, "text with a NUL can't be stored")
                }
                append(text: value, type: 0)
            case .bytes(let value):
                append(value, type: SQLType.bytea, format: 1)
            }
        }
    }

    private mutating func append(text: String, type: UInt32) {
        append(Array(text.utf8), type: type)
    }

    private mutating func append(_ bytes: [UInt8]?, type: UInt32, format: CInt = 0) {
        types.append(type)
        formats.append(format)
        lengths.append(CInt(clamping: bytes?.count ?? 0))
        offsets.append(bytes == nil ? nil : content.count)
        guard let bytes else { return }
        content += bytes
        content.append(0)
    }

    /// Calls `body` with the values' addresses, nil for NULL.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        content.withUnsafeBytes { content in
            body(
                offsets.map { offset in
                    offset.flatMap { offset in
                        content.baseAddress.map { start in
                            (start + offset).assumingMemoryBound(to: CChar.self)
                        }
                    }
                }
            )
        }
    }
}

/// The supported types, by PostgreSQL's constant numbers (`pg_type.dat`).
enum SQLType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let unknown: UInt32 = 705
    static let float8: UInt32 = 701
    static let varchar: UInt32 = 1043
    static let void: UInt32 = 2278
}
