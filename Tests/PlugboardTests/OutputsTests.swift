import JSONCodec
import Testing

@testable import Plug

@Suite("Outputs of unknown type")
struct OutputsTests {
    @Test("an output takes as long to encode after many others as before")
    func speed() {
        Outputs.encode { try JSON.encode($0) }
        func duration(of count: Int) -> Duration {
            ContinuousClock().measure { for _ in 0..<count { _ = Outputs.encoded(0) } }
        }
        let first = duration(of: 100)
        _ = duration(of: 20_000)
        #expect(duration(of: 100) < first * 20 + .milliseconds(1))
    }
}
