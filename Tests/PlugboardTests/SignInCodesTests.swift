import Locking
import Testing

@testable import Plugboard

@Suite("The codes of the console's link")
struct SignInCodesTests {
    private let time = Locked(0)
    private let codes: SignInCodes

    init() {
        codes = SignInCodes { [time] in time.withLock { $0 } }
    }

    private func wait(seconds: Int) { time.withLock { $0 += seconds } }

    @Test("a code is valid once")
    func once() {
        let code = codes.make()
        #expect(codes.redeem(code))
        #expect(!codes.redeem(code))
    }

    @Test("a code is valid for ten minutes")
    func expiry() {
        let code = codes.make()
        wait(seconds: 599)
        #expect(codes.redeem(code))
        let late = codes.make()
        wait(seconds: 600)
        #expect(!codes.redeem(late))
    }

    @Test("a new code replaces the previous one")
    func replaced() {
        let first = codes.make()
        let second = codes.make()
        #expect(!codes.redeem(first))
        #expect(codes.redeem(second))
    }

    @Test(
        "a wrong code doesn't use up the right one",
        arguments: [
            "", "a", "0000000000000000000000000000000", "\u{0}", "codecodecodecodecodecodecodecode",
        ]
    )
    func wrong(text: String) {
        #expect(!codes.redeem(text))
        let code = codes.make()
        #expect(!codes.redeem(text))
        #expect(!codes.redeem(String(code.dropLast())))
        #expect(!codes.redeem(code + "="))
        #expect(codes.redeem(code))
    }

    @Test("a code has 192 random bits, in the characters of a URL's fragment")
    func random() {
        let made = (0..<64).map { _ in codes.make() }
        #expect(Set(made).count == made.count)
        for code in made {
            #expect(code.utf8.count == 32)
            #expect(
                code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            )
        }
    }
}
