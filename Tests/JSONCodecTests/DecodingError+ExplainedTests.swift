import JSONCodec
import Testing

@Suite("The message of a decoding error")
struct DecodingErrorExplainedTests {
    enum Fruit: String, Codable, CaseIterable {
        case apple
        case kiwi
    }

    enum Level: Int, Codable {
        case low = 1
    }

    @Test("lists an enum's values")
    func enums() {
        #expect(
            failure([Fruit].self, #"["apple","plum"]"#)
                == #"/1: unknown value "plum": expected one of apple, kiwi"#
        )
        #expect(failure([String: Level].self, #"{"a":2}"#) == "/a: unknown value 2")
        #expect(failure([Fruit].self, "[1]") == "/0: expected a string")
    }

    @Test("never names a Swift type, even in errors of a type's own code")
    func noTypes() {
        struct Rude: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                let context = DecodingError.Context(codingPath: [], debugDescription: text)
                switch text {
                case "mismatch": throw DecodingError.typeMismatch(Rude.self, context)
                case "string": throw DecodingError.typeMismatch(String.self, context)
                case "number": throw DecodingError.typeMismatch(Double.self, context)
                case "array": throw DecodingError.typeMismatch([Any].self, context)
                case "nothing": throw DecodingError.valueNotFound(Rude.self, context)
                default: throw DecodingError.dataCorrupted(context)
                }
            }
        }
        func message(_ text: String) -> String? { failure([Rude].self, "[\"\(text)\"]") }
        #expect(message("mismatch") == "/0: not a valid value")
        #expect(message("string") == "/0: expected a string")
        #expect(message("number") == "/0: expected a number")
        #expect(message("array") == "/0: expected an array")
        #expect(message("nothing") == "/0: missing")
        #expect(message("Expected an even number.") == "/0: Expected an even number.")
        #expect(message("not an URL") == "/0: not an URL")
        #expect(message("cannot make a Rude") == "/0: not a valid value")
        #expect(message("Rude is wrong") == "/0: not a valid value")
        #expect(message("String expected") == "/0: not a valid value")
        #expect(message("from [Fruit] only") == "/0: not a valid value")
        #expect(message("PhotoKind is wrong") == "/0: not a valid value")
        #expect(message("") == "/0: not a valid value")
    }

    @Test("retains the path of an error thrown by a type's own code")
    func ownPath() {
        struct Range: Decodable {
            enum Key: CodingKey { case low, high }
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Key.self)
                let low = try members.decode(Int.self, forKey: .low)
                guard try members.decode(Int.self, forKey: .high) >= low else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .high,
                        in: members,
                        debugDescription: "lower than low"
                    )
                }
            }
        }
        #expect(failure([Range].self, #"[{"low":2,"high":1}]"#) == "/0/high: lower than low")
    }

    @Test("a type's own code can catch it as Swift's DecodingError")
    func caught() throws {
        struct Either: Decodable {
            var text: String
            init(from decoder: any Decoder) throws {
                do {
                    text = try decoder.singleValueContainer().decode(String.self)
                } catch DecodingError.typeMismatch(_, let context) {
                    text = "\(context.codingPath.map(\.stringValue)) \(try Int(from: decoder))"
                }
            }
        }
        #expect(try decode([String: Either].self, #"{"a":7}"#)["a"]?.text == #"["a"] 7"#)
    }
}
