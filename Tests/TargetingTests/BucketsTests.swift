import JSONCodec
import Testing

@testable import Targeting

@Suite("Buckets")
struct BucketsTests {
    @Test("the least and the greatest hash are in the first and the last bucket")
    func ends() {
        for count in [1, 2, 100, 100_000, UInt32(Int32.max)] {
            #expect(Buckets.bucket(of: 0, among: count) == 0)
            #expect(Buckets.bucket(of: .max, among: count) == count - 1)
        }
    }

    @Test("10 of 100 buckets contain the same hashes as 10,000 of 100,000")
    func borders() {
        for percent in UInt64(1)...99 {
            // The first hash that lies in the part above.
            let border = (percent << 32) / 100 + 1
            for hash in [border - 1, border].map({ UInt32($0) }) {
                let coarse = Buckets.bucket(of: hash, among: 100) < UInt32(percent)
                let fine = Buckets.bucket(of: hash) < UInt32(percent) * 1_000
                #expect(coarse == fine)
            }
        }
    }

    @Test("a percentage has up to three decimals")
    func percentages() {
        #expect(Buckets.threshold(percent: 0) == 0)
        #expect(Buckets.threshold(percent: 0.001) == 1)
        #expect(Buckets.threshold(percent: 12.5) == 12_500)
        #expect(Buckets.threshold(percent: 33.333) == 33_333)
        #expect(Buckets.threshold(percent: 99.999) == 99_999)
        #expect(Buckets.threshold(percent: 100) == 100_000)
        for wrong in [-0.001, 100.001, 0.0005, 33.3333, .nan, .infinity] {
            #expect(Buckets.threshold(percent: wrong) == nil)
        }
        for thousandths in 0...100_000 {
            guard let percent = Double("\(Double(thousandths) / 1_000)") else { continue }
            #expect(Buckets.threshold(percent: percent) == UInt32(thousandths))
        }
    }

    @Test(
        "of ten million ids each percentage selects its share, within three standard deviations",
        arguments: [
            ("Banner", 10_000_000), ("checkout/pay", 1_000_000), ("Search/results", 1_000_000),
        ]
    )
    func shares(_ key: String, _ users: Int) {
        let counts = Self.spread(users, key: key)
        let total = counts.reduce(0, +)
        #expect(total == users)
        var start = 0
        var inPart = 0
        for thousandths in [
            1, 10, 100, 1_000, 5_000, 10_000, 20_000, 33_333, 50_000, 75_000, 99_000,
        ] {
            inPart += counts[start..<thousandths].reduce(0, +)
            start = thousandths
            let share = Double(thousandths) / 100_000
            let expected = Double(total) * share
            let deviation = (expected * (1 - share)).squareRoot()
            #expect(abs(Double(inPart) - expected) <= 3 * deviation, "\(thousandths)")
        }
        // The buckets as a whole: chi squared has 99,999 degrees of freedom.
        let mean = Double(total) / Double(counts.count)
        let chiSquared = counts.reduce(0.0) { sum, count in
            sum + (Double(count) - mean) * (Double(count) - mean) / mean
        }
        let freedom = Double(counts.count - 1)
        #expect(abs(chiSquared - freedom) <= 3 * (2 * freedom).squareRoot(), "\(chiSquared)")
    }

    /// How many of the users `user-00000000`, `user-00000001`, … lie in each bucket.
    private static func spread(_ users: Int, key: String) -> [Int] {
        var start = MurmurHash3()
        start.append(key + "user-")
        var counts = Array(repeating: 0, count: Int(Buckets.count))
        var digits = Array("00000000".utf8)
        counts.withUnsafeMutableBufferPointer { counts in
            digits.withUnsafeMutableBufferPointer { digits in
                guard let first = digits.baseAddress else { return }
                for _ in 0..<users {
                    var hash = start
                    hash.append(first, 8)
                    counts[Int(Buckets.bucket(of: hash.value))] += 1
                    var place = 7
                    while first[place] == 0x39, place > 0 {
                        first[place] = 0x30
                        place -= 1
                    }
                    first[place] += 1
                }
            }
        }
        return counts
    }

    @Test("a growing roll-out retains its users, in thousandths and in whole percents")
    func growing() throws {
        let percents = [0, 0.001, 0.5, 1, 5, 10, 10.001, 20, 50, 99.999, 100]
        let rules = try percents.map { percent in
            try TargetingRule(.object(["rollout": .number(try #require(.init(percent)))]), key: "a")
        }
        let splits = try [1, 10, 20, 50].map { percent in
            try TargetingRule(
                [
                    "fractional": [
                        [true, .number(.init(percent))], [false, .number(.init(100 - percent))],
                    ]
                ],
                key: "a"
            )
        }
        for user in 0..<20_000 {
            let context = try TargetingContext(targetingKey: "user-\(user)")
            for rules in [rules, splits] {
                let held = rules.map { $0.holds(for: context) }
                #expect(held == held.sorted { !$0 && $1 }, "user-\(user)")
            }
            #expect(rules[0].holds(for: context) == false)
            #expect(rules[10].holds(for: context))
            #expect(rules[5].holds(for: context) == splits[1].holds(for: context))
            #expect(rules[7].holds(for: context) == splits[2].holds(for: context))
        }
    }
}
