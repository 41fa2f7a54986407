import Testing

@testable import PostgreSQL

@Suite("libpq")
struct PostgreSQLLibraryTests {
    @Test("that isn't there is told by its name, and by the package that brings it")
    func missing() {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLLibrary.load("libpq-of-nowhere.so.5")
        }
        #expect(error?.kind == .missingLibrary)
        #expect(error?.description.contains("libpq-of-nowhere.so.5") == true)
        #expect(error?.description.contains("package libpq5") == true)
    }

    @Test("that lacks a function is told by the function's name")
    func lacking() {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLLibrary.load("libc.so.6")
        }
        #expect(error?.kind == .missingLibrary)
        #expect(error?.description.contains("PQcancel") == true)
    }
}
