import Testing

@testable import Targeting

@Suite("Semantic versions (SemVer 2.0.0)")
struct SemanticVersionTests {
    @Test("build metadata is ignored, and equal versions hash alike")
    func build() throws {
        for (left, right) in [
            ("1.0.0+1", "1.0.0+2"), ("1.0.0", "1.0.0+a.b-c"), ("1.0.0-rc+001", "1.0.0-rc"),
            ("v1.0.0", "1.0.0"), ("V1.0.0", "v1"), ("1", "1.0.0"), ("1.2", "1.2.0"), ("0", "0.0"),
        ] {
            let one = try #require(SemanticVersion(left))
            let two = try #require(SemanticVersion(right))
            #expect(one == two)
            #expect(one.hashValue == two.hashValue)
        }
    }

    @Test("the operators match flagd's")
    func operators() throws {
        let rows: [(String, String, String)] = [
            ("1.2.3", "v1.2.3+x", "= <= >= ^ ~"), ("1.2.3", "2.0.0", "!= < <="),
            ("1.2.4", "1.2.3", "!= > >= ^ ~"), ("1.3.0", "1.2.3", "!= > >= ^"),
            ("1.0.0", "1.2.3", "!= < <= ^"), ("1.2.3-rc", "1.2.3", "!= < <= ^ ~"),
            ("0.1.0", "0.2.0", "!= < <= ^"),
        ]
        for (left, right, holding) in rows {
            let target = VersionTarget(try #require(SemanticVersion(right)))
            let found = VersionOperator.allCases.filter { target.holds(left, $0) == true }
                .map(\.rawValue)
            #expect(
                Set(found) == Set(holding.split(separator: " ").map(String.init)),
                "\(left) \(right)"
            )
        }
    }
}
