import Testing

@testable import Targeting

@Suite("Semantic versions (SemVer 2.0.0)")
struct SemanticVersionTests {
    @Test("come in the order of section 11")
    func precedence() throws {
        let ordered = [
            "0.0.0-0", "0.0.0", "0.0.1", "0.1.0", "1.0.0-0", "1.0.0-9", "1.0.0-10",
            "1.0.0-99999999999999999999999", "1.0.0--", "1.0.0-0a", "1.0.0-A", "1.0.0-alpha",
            "1.0.0-alpha.1", "1.0.0-alpha.1.0", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
            "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.0.9", "1.0.10", "1.2.0", "1.10.0",
            "2.0.0", "9.0.0", "10.0.0", "99999999999999999998.0.0", "99999999999999999999.0.0",
        ]
        let versions = try ordered.map { try #require(SemanticVersion($0), "\($0)") }
        for (left, one) in versions.enumerated() {
            for (right, two) in versions.enumerated() {
                #expect((one < two) == (left < right), "\(one) \(two)")
                #expect((one == two) == (left == right), "\(one) \(two)")
            }
        }
    }

    @Test("build metadata has no part in it, and equal ones hash alike")
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

    @Test(
        "what is none is refused",
        arguments: [
            "", "v", "V", "vv1.0.0", "a", "1.", ".1", "1..0", "1.0.", "1.0.0.0", "01.0.0",
            "1.02.0", "1.0.03", "1.0.0-", "1.0.0+", "1.0.0-+a", "1.0.0-a.", "1.0.0-.a",
            "1.0.0-a..b",
            "1.0.0-01", "1.0.0-a.007", "1.0.0-ä", "1.0.0+ä", "1.0.0+a+b", "1.0.0-a_b", "1-rc",
            "1.0-rc", "1+b", "-1.0.0", "+1", "1.0.0 ", " 1.0.0", "1,0,0", "1.x", "1.0.0\0", "١.٠.٠",
            String(repeating: "1", count: 257),
        ]
    )
    func refused(_ text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    @Test(
        "0-9 with letters is an identifier that may begin with zero, and so is what is build metadata"
    )
    func identifiers() {
        for text in ["1.0.0-0a", "1.0.0-01a", "1.0.0+01", "1.0.0--1", "1.0.0-a-b.c-", "1.0.0-0"] {
            #expect(SemanticVersion(text) != nil, "\(text)")
        }
    }

    @Test("the operators are flagd's")
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
