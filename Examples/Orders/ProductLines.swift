import PlugHTTP

/// Products as lines of JSON.
enum ProductLines {
    private static let maximumSize = 8 * 1024 * 1024
    /// The greatest number of errors in a problem.
    private static let maximumCount = 50

    static func read(_ body: RequestBody) async throws -> [Product] {
        var bytes: [UInt8] = []
        for try await piece in body {
            bytes += piece
            guard bytes.count <= maximumSize else { throw Problem.contentTooLarge() }
        }
        return try products(bytes)
    }

    /// Returns the product of each nonempty line.
    ///
    /// Products are validated as in `PUT /products/{sku}`.
    ///
    /// - Throws: a `Problem` with the errors of all lines, at most 50.
    static func products(_ bytes: [UInt8]) throws -> [Product] {
        var products: [Product] = []
        var errors: [Problem.FieldError] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
            func fail(_ pointer: String, _ message: String) {
                let detail = "line \(index + 1): \(message)"
                errors.append(Problem.FieldError(pointer: pointer, detail: detail))
            }
            do {
                products.append(try JSON.decode(validating: Product.self, from: line))
            } catch let all as JSONTypeErrors {
                for error in all.all { fail(error.pointer, error.message) }
            } catch let error as JSONError {
                fail("", "column \(error.column): \(error.message)")
            }
            if errors.count >= maximumCount { break }
        }
        guard let first = errors.first else { return products }
        throw Problem(
            status: .unprocessableContent,
            detail: first.pointer.isEmpty ? first.detail : "\(first.detail) (\(first.pointer))",
            errors: Array(errors.prefix(maximumCount))
        )
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0D || byte == 0x09
    }
}
