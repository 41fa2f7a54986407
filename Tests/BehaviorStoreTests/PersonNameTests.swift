import Testing

@testable import BehaviorStore

@Suite("Names of people (NFKC_Casefold, Unicode §3.13)")
struct PersonNameTests {
    private static let kelvin = "\u{212A}ate"

    @Test(
        "names that look the same are one person's (NFKC_Casefold, Unicode §3.13)",
        arguments: [
            ("Dave", "dave"), ("Dave", "Dave "), ("Dave", "\u{A0}dave\t"), ("Dave", "D\u{200B}ave"),
            ("Dave", "Ｄａｖｅ"), ("Dave", "𝐃𝒶𝖛𝚎"), ("Dave", "Ⓓave"), ("Kate", kelvin),
            ("José", "Jose\u{301}"), ("STRASSE", "straße"), ("ﬁona", "Fiona"), ("ΝΙΚΟΣ", "νικος"),
            ("ΝΙΚΟΣ", "νικοσ"),
            ("ada  l", "Ada L"), ("Ｄａｖｅ１", "dave1"), ("\u{1C5}a", "\u{1C4}A"),
        ]
    )
    func same(one: String, other: String) {
        #expect(PersonName(one) == PersonName(other))
        #expect(PersonName(one).isComparable || one.contains("\u{1C5}"))
    }

    @Test(
        "names that look different belong to different people",
        arguments: [("Dave", "Dan"), ("Jose", "José"), ("ada l", "adal"), ("dave1", "dave2")]
    )
    func different(one: String, other: String) {
        #expect(PersonName(one) != PersonName(other))
    }

    @Test(
        "a name without visible characters is empty",
        arguments: ["", " ", "\u{200B}", "\u{3000}\u{AD}"]
    )
    func empty(name: String) { #expect(PersonName(name).isEmpty) }

    @Test(
        "a compatibility character without a plain form is reported as incomparable",
        arguments: ["㎏", "ﷺ", "Ada㏂"]
    )
    func incomparable(name: String) { #expect(!PersonName(name).isComparable) }

    @Test("everyday names are comparable", arguments: ["ada", "Łukasz", "李小龍", "Зоя", "محمد", "김"])
    func everyday(name: String) { #expect(PersonName(name).isComparable) }
}
