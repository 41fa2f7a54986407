import Glibc
import JSONCodec
import Testing

@Suite("Locations of values")
struct TapePlacesTests {
    /// Tries one form after the other, as types with several do.
    private enum Form: Decodable, Equatable {
        case object(Int), list(Int), text(String), other

        private enum Key: CodingKey { case count }

        init(from decoder: any Decoder) throws {
            if let members = try? decoder.container(keyedBy: Key.self),
                let count = try? members.decode(Int.self, forKey: .count)
            {
                self = .object(count)
            } else if let list = try? decoder.unkeyedContainer() {
                self = .list(list.count ?? 0)
            } else if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }

    /// The processor time of this thread, in seconds, that a list of so many values takes.
    private func cost(_ count: Int) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let name = String(repeating: "n", count: count)
        let text = "{\"\(name)\":[" + repeatElement("7", count: count).joined(separator: ",") + "]}"
        let start = now()
        let forms = try decode([String: [Form]].self, text)
        let cost = now() - start
        #expect(forms[name]?.count == count)
        #expect(forms[name]?.allSatisfy { $0 == .other } == true)
        return cost
    }

    @Test("locating the elements of a long list takes linear time")
    func longList() throws {
        // Each fails to be some of the forms. Eight times as many take 8 times as long, not 64.
        let (few, many) = (try cost(4_000), try cost(32_000))
        #expect(many < few * 24)
    }

    @Test("an error has its location after many caught errors")
    func placeAfterMany() throws {
        struct Mixed: Decodable {
            struct Last: Decodable { var count: Int }
            var forms: [Form]
            var last: [Last]
        }
        let forms = #"[7,{"count":[{}]},"a",[1,[2]],{"count":1}]"#
        #expect(
            failure(Mixed.self, #"{"last":[{"count":1},{"count":"x"}],"forms":\#(forms)}"#)
                == "/last/1/count: expected an integer"
        )
        #expect(
            failure(Mixed.self, #"{"forms":\#(forms),"last":[{"count":1},{}]}"#)
                == "/last/1/count: missing"
        )
    }
}
