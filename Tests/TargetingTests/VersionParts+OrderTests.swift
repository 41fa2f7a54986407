import Testing

@testable import Targeting

@Suite("The order of semantic versions (SemVer 2.0.0 §11)")
struct VersionPartsOrderTests {
    @Test("versions have the order of section 11")
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
}
