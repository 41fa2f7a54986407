import Testing

@testable import JSONCodec

@Suite("Reusable tapes")
struct DecodingRoomTests {
    private struct Item: Decodable, Equatable {
        var id: Int
        var name: String?
    }

    /// Keeps its decoder beyond the call that made it.
    private struct Keeper: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    @Test("successive documents are decoded independently")
    func sequence() throws {
        let room = ReusableTape()
        for id in [1, 20, 3] {
            let item: Item = try decode(#"{"name":"n\#(id)"}"#, id: "\(id)", in: room)
            #expect(item == Item(id: id, name: "n\(id)"))
        }
        let absent: Item = try decode("", id: "7", in: room)
        #expect(absent == Item(id: 7))
        let list: [Item] = try decode(#"[{"id":1},{"id":2}]"#, in: room)
        #expect(list == [Item(id: 1), Item(id: 2)])
    }

    @Test("a tape can be reused after an invalid document")
    func failure() throws {
        let room = ReusableTape()
        #expect(throws: JSONError.self) { try decode(#"{"id":"#, in: room) as Item }
        #expect(throws: JSONTypeError.self) { try decode(#"{"id":[]}"#, in: room) as Item }
        #expect(try decode(#"{"id":1}"#, in: room) == Item(id: 1))
    }

    @Test("a large document doesn't affect the small one after it")
    func size() throws {
        let room = ReusableTape()
        let members = (0..<2_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
        let values: [String: Int] = try decode("{\(members)}", in: room)
        #expect(values.count == 2_000)
        let item: Item = try decode("{}", id: "1", in: room)
        #expect(item == Item(id: 1))
    }

    @Test("a retained decoder keeps its document while others are decoded")
    func kept() throws {
        let room = ReusableTape()
        let keeper: Keeper = try decode(#"{"name":"first"}"#, id: "1", in: room)
        let next: Item = try decode(#"{"name":"second"}"#, id: "2", in: room)
        #expect(next == Item(id: 2, name: "second"))
        #expect(try Item(from: keeper.decoder) == Item(id: 1, name: "first"))
    }

    @Test("two documents can be decoded at the same time")
    func nested() throws {
        let room = ReusableTape()
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        var first = room.take(for: nothing)
        var second = room.take(for: nothing)
        #expect(first !== second)
        room.give(&first)
        #expect(room.take(for: nothing) === first)
        room.give(&second)
        #expect(try decode(#"{"id":1}"#, in: room) == Item(id: 1))
    }
}

private func decode<T: Decodable>(
    _ text: String,
    id: String? = nil,
    in room: ReusableTape
) throws -> T {
    let members = id.map { [TextMember(name: "id", text: $0, origin: .path)] } ?? []
    return try Array(text.utf8).withUnsafeBytes { bytes in
        try JSON.decode(T.self, from: bytes, text: members, in: room)
    }
}
