import Testing

@testable import Targeting

@Suite("Parts of semantic versions (SemVer 2.0.0)")
struct VersionPartsTests {
    @Test(
        "an invalid version is rejected",
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
        "identifiers with letters and build metadata may begin with zero"
    )
    func identifiers() {
        for text in ["1.0.0-0a", "1.0.0-01a", "1.0.0+01", "1.0.0--1", "1.0.0-a-b.c-", "1.0.0-0"] {
            #expect(SemanticVersion(text) != nil, "\(text)")
        }
    }
}
