import JSONCodec
import Testing

@Suite("Object members")
struct TapeMembersTests {
    @Test("provides custom code with every kind of container")
    func containers() throws {
        struct Odd: Decodable {
            enum Key: String, CodingKey { case list, inner, absent, `super` }
            var parts: [String] = []

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Key.self)
                parts.append(members.allKeys.map(\.rawValue).joined(separator: " "))
                parts.append("\(members.contains(.inner)) \(members.contains(.absent))")
                parts.append("\(try members.decodeNil(forKey: .inner))")
                var list = try members.nestedUnkeyedContainer(forKey: .list)
                parts.append("\(list.count ?? 0) \(list.currentIndex) \(list.isAtEnd)")
                parts.append("\(try list.decodeNil()) \(try list.decodeNil())")
                #expect(throws: DecodingError.self) { _ = try list.decode(String.self) }
                parts.append("\(try list.decode(UInt8.self)) \(try list.decode(Bool.self))")
                parts.append(try list.decode(String.self))
                var inner = try list.nestedUnkeyedContainer()
                parts.append("\(try inner.decode(Double.self)) \(try inner.decode(Float.self))")
                let object = try list.nestedContainer(keyedBy: Key.self)
                parts.append("\(try object.decodeIfPresent(Int.self, forKey: .list) ?? 0)")
                parts.append("\(try Int(from: list.superDecoder()))")
                parts.append("\(list.isAtEnd) \(list.codingPath.count)")
                #expect(throws: DecodingError.self) { _ = try list.decode(Int.self) }
                let nested = try members.nestedContainer(keyedBy: Key.self, forKey: .inner)
                parts.append("\(nested.allKeys.isEmpty) \(nested.codingPath[0].stringValue)")
                parts.append(try String(from: members.superDecoder()))
                parts.append(try String(from: members.superDecoder(forKey: .super)))
            }
        }
        let text =
            #"{"list":[null,7,true,"s",[1.5,2.5],{"list":3},9],"other":1,"inner":{},"super":"p"}"#
        #expect(
            try decode(Odd.self, text).parts == [
                "list inner super", "true false", "false", "7 0 false", "true false", "7 true",
                "s", "1.5 2.5", "3", "9", "true 1", "true inner", "p", "p",
            ]
        )
    }
}
