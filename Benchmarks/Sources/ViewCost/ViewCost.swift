import Foundation
import PlugboardClient

/// The time to read 3 of 200 members by a view, beside decoding all of them with `Codable`.
///
/// It fails if the view isn't five times as fast.
@main
struct ViewCost {
    static func main() throws {
        let text = Array(response.utf8)
        let data = Data(text)
        let decoder = JSONDecoder()
        let foundation = try measure { try decoder.decode(Whole.self, from: data).f0 }
        let whole = try measure { try JSON.decode(Whole.self, from: text).f0 }
        let view = try measure {
            let view = try JSON.decode(ThreeOf200.self, from: text)
            return view.first + view.second.utf8.count + Int(view.third)
        }
        print(
            "3 of 200 members by a view: \(view) µs; all by Codable: \(whole) µs, "
                + "\(tenths(whole / view)) times; all by Foundation: \(foundation) µs, "
                + "\(tenths(foundation / view)) times"
        )
        guard whole >= 5 * view else { exit(1) }
    }

    private static func measure(_ body: () throws -> Int) throws -> Double {
        var best = Duration.seconds(1_000)
        for _ in 0..<20 {
            var sum = 0
            let begin = ContinuousClock.now
            for _ in 0..<500 { sum &+= try body() }
            best = min(best, ContinuousClock.now - begin)
            precondition(sum != 1)
        }
        return tenths(Double(best.components.attoseconds) / 1e12 / 500)
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    /// A response of 200 members of four types.
    private static var response: String {
        let members = (0..<200).map { number in
            let value =
                switch number % 4 {
                case 0: "\(number * 7)"
                case 1: "\"the text of the member \(number)\""
                case 2: "\(number).25"
                default: "true"
                }
            return "\"f\(number)\": \(value)"
        }
        return "{\(members.joined(separator: ", "))}"
    }
}

/// A view of three members.
struct ThreeOf200: JSONView {
    static let first = ViewKey<Int>("f0")
    static let second = ViewKey<String>("f101")
    static let third = ViewKey<Double>("f198")
    static let keys: [any AnyViewKey] = [first, second, third]

    var content: ViewContent
    var first: Int { self[Self.first] }
    var second: String { self[Self.second] }
    var third: Double { self[Self.third] }
}
