package import JSONCodec

/// The generator of Swift contracts from an OpenAPI description.
///
/// It is a pure function: a description in, a file's text and notes out. Texts of the description
/// become names by ``SwiftName``, literals and comments by ``SwiftText``, and nothing else. So a
/// hostile description can't add code.
package enum ContractGenerator {
    /// The choices of the generator's user.
    package struct Options: Sendable {
        /// The tags, operation ids and beginnings of paths whose operations are generated; empty
        /// for all.
        package var only: [String] = []
        /// Whether other modules can use the contracts.
        package var isPublic = false

        /// All operations, for one module.
        package init(only: [String] = [], isPublic: Bool = false) {
            self.only = only
            self.isPublic = isPublic
        }
    }

    /// The generated file, and the parts of the description that it lacks.
    package struct Output: Sendable, Equatable {
        /// The Swift file.
        package let text: String
        /// The title of the API.
        package let title: String
        /// The number of contracts.
        package let contracts: Int
        /// The number of operations that were left out.
        package let leftOut: Int
        /// The parts that were left out or are generated without a type, with the reasons.
        package let notes: [Note]
    }

    /// The maximum number of operations of one file.
    package static let maximumOperations = 5_000
    /// The maximum size of the generated file in bytes.
    package static let maximumText = 32 << 20

    /// Generates the contracts of a description.
    ///
    /// - Throws: ``UnusableDescription`` if it isn't OpenAPI 3.0 or 3.1, has no operation that can
    ///   be generated, or exceeds a limit.
    package static func contracts(
        of json: JSON,
        _ options: Options = Options()
    ) throws(UnusableDescription) -> Output {
        let description = try Description(json)
        let book = TypeBook(description)
        var reader = OperationReader(description, book)
        let operations = try reader.operations(options.only)
        guard !operations.isEmpty else {
            let reasons = book.notes.prefix(3).map(\.description)
            throw UnusableDescription(
                (["No contract can be generated from the description."] + reasons)
                    .joined(separator: "\n")
            )
        }
        let text = FileWriter(description, book, isPublic: options.isPublic).text(operations)
        guard text.utf8.count <= maximumText else {
            throw UnusableDescription(
                "The contracts are larger than \(maximumText >> 20) MiB. Select operations with --only."
            )
        }
        return Output(
            text: text,
            title: description.title,
            contracts: operations.count,
            leftOut: reader.leftOut,
            notes: book.notes
        )
    }
}

/// A part of a description that was left out or has no exact type, with the reason.
package struct Note: Sendable, Equatable, CustomStringConvertible {
    /// The part as a JSON Pointer (RFC 6901).
    package let pointer: String
    /// The part's fate and the reason.
    package let reason: String

    /// The pointer and the reason on one line.
    package var description: String { "\(pointer): \(reason)" }
}

/// The error of a description from which nothing can be generated.
package struct UnusableDescription: Error, Equatable, CustomStringConvertible {
    /// The reason and the remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}
