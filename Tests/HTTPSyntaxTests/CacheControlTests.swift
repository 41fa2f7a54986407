import HTTPSyntax
import Testing

@Suite("Cache-Control (RFC 9111 §5.2)")
struct CacheControlTests {
    @Test("directives are read in any case and order; unknown ones are ignored")
    func directives() {
        let all = CacheControl("private, Max-Age=\"60\" ,NO-STORE,\tmust-revalidate,no-cache")
        #expect(all.maxAge == 60)
        #expect(all.forbidsStoring && all.needsValidation && all.forbidsStale)
        for field in [nil, "", "public, x=no-store, no-storex"] {
            let none = CacheControl(field)
            #expect(none.maxAge == nil)
            #expect(!none.forbidsStoring && !none.needsValidation && !none.forbidsStale)
        }
    }

    @Test(
        "max-age is a number; the first one counts",
        arguments: [
            ("max-age=3600, must-revalidate", 3600), ("max-age=0", 0), ("max-age=1,max-age=2", 1),
            ("max-age=soon", nil), ("max-age=-1", nil), ("max-age", nil), ("s-maxage=5", nil),
        ] as [(String, Int?)]
    )
    func ages(field: String, seconds: Int?) {
        #expect(CacheControl(field).maxAge == seconds)
    }
}
