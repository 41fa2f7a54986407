import JSONCodec
import Testing

@Suite("Decoding of scalars")
struct TapeScalarsTests {
    @Test("reads every scalar")
    func scalars() throws {
        #expect(try decode(Bool.self, "true"))
        #expect(try decode(String.self, #""a\n""#) == "a\n")
        #expect(try decode(Int8.self, "-128") == -128)
        #expect(try decode(Int16.self, "-32768") == .min)
        #expect(try decode(Int32.self, "2147483647") == .max)
        #expect(try decode(Int64.self, "-9223372036854775808") == .min)
        #expect(try decode(UInt.self, "18446744073709551615") == .max)
        #expect(try decode(UInt8.self, "255") == 255)
        #expect(try decode(UInt16.self, "65535") == .max)
        #expect(try decode(UInt32.self, "4294967295") == .max)
        #expect(try decode(UInt64.self, "1.8446744073709551615e19") == .max)
        #expect(try decode(Int128.self, "-\(Int128.max)") == -Int128.max)
        #expect(try decode(UInt128.self, "\(UInt128.max)") == .max)
        #expect(try decode(Float.self, "0.1") == 0.1)
        #expect(try decode(Double.self, "-1e-2") == -0.01)
        #expect(try decode(Int?.self, "null") == nil)
        #expect(try decode([Int?].self, "[1,null]") == [1, nil])
        #expect(try decode([String: [Bool]].self, #"{"a":[true,false]}"#) == ["a": [true, false]])
        #expect(try decode([Int: String].self, #"{"7":"x"}"#) == [7: "x"])
    }
}
