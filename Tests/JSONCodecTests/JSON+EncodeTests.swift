import JSONCodec
import Testing

@Suite("Encoding of a document")
struct JSONEncodeTests {
    struct Likes: Codable, Equatable {
        var photo: Int
        var likes: Int
        var note: String?
    }

    @Test("appends to existing bytes, and leaves them unchanged if it fails")
    func appends() throws {
        var bytes = Array("data: ".utf8)
        try JSON.encode(Likes(photo: 1, likes: 2), into: &bytes)
        #expect(throws: JSONTypeError.self) { try JSON.encode(Double.nan, into: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"data: {"likes":2,"photo":1}"#)
    }

    @Test("encoded values are decoded unchanged, few or many")
    func roundTrip() throws {
        let likes = (0..<5_000).map {
            Likes(photo: $0, likes: -$0, note: $0 % 3 == 0 ? "n\($0)" : nil)
        }
        #expect(try JSON.decode([Likes].self, from: JSON.encode(likes)) == likes)
        #expect(try JSON(encoding: likes).decode([Likes].self) == likes)
        let shapes: [TapeDecoderTests.Shape] = [.circle(radius: 0.5), .square(2), .point]
        #expect(try JSON.decode([TapeDecoderTests.Shape].self, from: JSON.encode(shapes)) == shapes)
    }
}
