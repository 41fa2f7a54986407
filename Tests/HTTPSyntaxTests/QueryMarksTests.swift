import GuardedBytes
import Testing

@testable import HTTPSyntax

@Suite("Query delimiters")
struct QueryMarksTests {
    private func places(_ bytes: [UInt8]) -> [Int] {
        GuardedBytes.with(bytes) { query in
            var marks = QueryMarks(query)
            var places: [Int] = []
            while true {
                let place = marks.next()
                guard place < query.count else { break }
                places.append(place)
            }
            #expect(marks.next() == query.count)
            return places
        }
    }

    @Test("each byte is classified at every position", arguments: 0...20)
    func bytes(count: Int) {
        for byte in UInt8.min...UInt8.max {
            let isMark = byte < 0x2C || byte == UInt8(ascii: "=") || byte >= 0x80
            for place in 0..<count {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                bytes[place] = byte
                #expect(places(bytes) == (isMark ? [place] : []), "\(byte) at \(place)")
            }
            let alike = [UInt8](repeating: byte, count: count)
            #expect(places(alike) == (isMark ? Array(0..<count) : []), "\(count) times \(byte)")
        }
    }

    @Test("a query's delimiters are found in order")
    func order() {
        #expect(
            places(Array("country=LV&version=2.1.3&a%20b=c+d".utf8)) == [7, 10, 18, 24, 26, 30, 32]
        )
        #expect(places([]).isEmpty)
    }
}
