@testable import JSONCodec

/// Feeds the JSON codec: what is read and written again is the same, and a type that doesn't fit is
/// an error, never a trap.
@c(LLVMFuzzerTestOneInput)
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    do throws(JSONError) {
        let value = try JSON(parsing: bytes)
        let scan = ScannedObject(Array(bytes), 0..<bytes.count, level: 0)
        precondition((scan == nil) == (value.object == nil), "the scan differs")
        if let scan { precondition(scan.json == value, "the scan differs") }
        checkTree(value)
        checkTypes(bytes)
        checkRules(bytes)
    } catch {
        precondition((0...bytes.count).contains(error.offset))
        precondition(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
        precondition(JSONPointer.tokens(error.pointer) != nil)
        precondition((try? JSON.decode(Sample.self, from: bytes)) == nil)
        precondition(ScannedObject(Array(bytes), 0..<bytes.count, level: 0) == nil)
    }
    checkPatterns(bytes)
    return 0
}

// MARK: Rules

private struct Ruled: Codable, Constrained {
    var int: Int?
    var size: Int?
    var text: String?
    var mail: String?
    var flags: [String]?
    var names: [String: String]?
    var parts: [Ruled]?

    static var constraints: Constraints {
        [
            "int": [.minimum(1), .maximum(99)], "size": [.exclusiveMinimum(0), .multipleOf(3)],
            "text": [.minLength(1), .maxLength(5), .pattern("^[^\\u0000]*$")],
            "mail": [.format(.email)],
            "flags": [.maxItems(2), .items(.maxLength(2), .pattern("^(a|b?c)+$"))],
        ]
    }
}

private let contract = DecodingContract.of(Ruled.self)
private let engine = RuleEngine(contract.content.shape, contract.content.shapes)

/// The engine admits what has no failure, and nothing else.
private func checkRules(_ bytes: UnsafeRawBufferPointer) {
    let tape = Tape(bytes)
    var parser = TapeParser(tape, depth: JSON.defaultDepth)
    do throws(JSONError) { try parser.document() } catch { return }
    let failures = engine.failures(tape)
    precondition(engine.admits(tape) == failures.isEmpty, "\(failures)")
    _ = try? JSON.decode(Ruled.self, from: bytes, text: [], backend: contract, in: ReusableTape())
}

/// An expression up to the first line's end, and a text behind it: however many states there are, the
/// answer is the same.
private func checkPatterns(_ bytes: UnsafeRawBufferPointer) {
    guard let end = bytes.firstIndex(of: 0x0A) else { return }
    let expression = String(decoding: bytes[..<end], as: UTF8.self)
    let text = String(decoding: bytes[(end + 1)...], as: UTF8.self)
    guard let few = try? Pattern(expression), !text.contains("xxxx"),
        let many = try? Pattern("(?:\(expression))|x{80}")
    else { return }
    precondition(few.matches(text) == many.matches(text), "\(expression) differs")
}

// MARK: Trees

private func checkTree(_ value: JSON) {
    let text = value.encoded()
    precondition(read(text) == value, "the text has another value")
    precondition(read(text)?.encoded() == text, "another text")
    precondition(read(value.encoded(pretty: true)) == value, "the pretty text has another value")
    guard let sorted: [UInt8] = try? JSON.encode(value) else { preconditionFailure("not encoded") }
    precondition(read(sorted) == value, "the sorted text has another value")
    guard let again = try? JSON(encoding: value) else { preconditionFailure("not encoded") }
    precondition(again == value && again.hashValue == value.hashValue)
}

private func read(_ text: [UInt8]) -> JSON? {
    try? JSON(parsing: text, depth: 1_024)
}

// MARK: Types

private struct Sample: Codable, Equatable {
    var int: Int
    var byte: UInt8?
    var double: Double?
    var text: String?
    var flag: Bool?
    var numbers: [Int64]?
    var names: [String: Float]?
    var samples: [Sample]?
    var raw: JSON?
}

private func checkTypes(_ bytes: UnsafeRawBufferPointer) {
    if let sample = try? JSON.decode(Sample.self, from: bytes) { checkAgain(sample) }
    if let numbers = try? JSON.decode([Double].self, from: bytes) { checkAgain(numbers) }
    if let numbers = try? JSON.decode([UInt64].self, from: bytes) { checkAgain(numbers) }
    if let texts = try? JSON.decode([String: String].self, from: bytes) { checkAgain(texts) }
    if let value = try? JSON.decode(JSON.self, from: bytes) { checkAgain(value) }
    _ = JSON.place(of: "/samples/0/int", in: bytes)
}

/// Checks that a decoded value can be encoded and decoded to an equal one.
private func checkAgain<T: Codable & Equatable>(_ value: T) {
    guard let text = try? JSON.encode(value) else { preconditionFailure("not encoded") }
    guard let again = try? JSON.decode(T.self, from: text) else {
        preconditionFailure("not decoded again")
    }
    precondition(again == value, "another value")
}
