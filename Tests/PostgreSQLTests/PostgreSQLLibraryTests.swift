import Testing

@testable import PostgreSQL

@Suite("libpq")
struct PostgreSQLLibraryTests {
    @Test("the error of a missing library names the library and its package")
    func missing() {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLLibrary.load("libpq-of-nowhere.so.5")
        }
        #expect(error?.kind == .missingLibrary)
        #expect(error?.description.contains("libpq-of-nowhere.so.5") == true)
        #expect(error?.description.contains("package libpq5") == true)
    }

    @Test("the error of a missing function names the function")
    func lacking() {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLLibrary.load("libc.so.6")
        }
        #expect(error?.kind == .missingLibrary)
        #expect(error?.description.contains("PQcancel") == true)
    }
}
