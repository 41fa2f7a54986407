import HTTPTypes
import PlugHTTP
import Testing

@testable import Orders

@Suite("Products as lines")
struct ProductLinesTests {
    private let good = #"{"sku":"AA-1","name":"a","price":1,"stock":1,"tags":[]}"#

    private func problem(_ text: String) -> Problem? {
        #expect(throws: Problem.self) { try ProductLines.products(Array(text.utf8)) }
    }

    @Test("each nonempty line is a product")
    func lines() throws {
        let products = try ProductLines.products(Array("\n\(good)\r\n  \n\(good)".utf8))
        #expect(products.map(\.sku) == ["AA-1", "AA-1"])
        #expect(try ProductLines.products([]).isEmpty)
    }

    @Test("a line has the constraints of a product; each error has its line and pointer")
    func constraints() {
        let huge = #"{"sku":"AA-1","name":"","price":9223372036854775807,"stock":-1,"tags":[]}"#
        let problem = problem("\(good)\n\n\(huge)\n{\n\(good)")
        #expect(problem?.status == .unprocessableContent)
        #expect(problem?.detail?.hasPrefix("line 3: ") == true)
        #expect(problem?.errors?.map(\.pointer) == ["/name", "/price", "/stock", ""])
        #expect(problem?.errors?[1].detail == "line 3: expected 1 to 1000000")
        #expect(problem?.errors?.last?.detail.hasPrefix("line 4: column 2: ") == true)
    }

    @Test("a problem lists at most 50 errors")
    func many() {
        let problem = problem(String(repeating: "{}\n", count: 1000))
        #expect(problem?.errors?.count == 50)
    }
}
