import ArgumentParser
import ContractGenerator
import System

/// The command `generate`: writes Swift contracts from an OpenAPI description.
struct GenerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes Swift contracts of a server from its OpenAPI description.",
        discussion: """
            Reads OpenAPI 3.0 and 3.1 in JSON, and writes an action for each operation and a type \
            for each schema. An app calls them with PlugboardClient. What no contract can express \
            is left out and listed on the standard error, with its JSON Pointer. References to \
            other documents aren't read. The status is 1 if nothing can be generated.
            """
    )

    @Option(
        "The description: a URL, a file, or - for the standard input. A URL without a path gets /openapi.json.",
        value: "url"
    )
    var openapi: String?

    @Option(
        """
        The file of the contracts, or a folder, which gets the file Contracts.swift. (default: the \
        standard output)
        """,
        value: "file"
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            """
            Only operations with this tag, this operationId, or this beginning of the path. \
            Repeat it for several.
            """,
            valueName: "tag|id|path"
        )
    )
    var only: [String] = []

    @Flag(name: .customLong("public"), help: "Makes the contracts public, for other modules.")
    var isPublic = false

    @Flag(help: "Overwrites a file with other content.")
    var force = false

    @OptionGroup var options: ClientOptions

    func run() async throws {
        guard let openapi else {
            throw Failure.usage("--openapi is missing: give a URL, a file, or -")
        }
        let description = try await DescriptionSource(openapi, options).json()
        let generated: ContractGenerator.Output
        do {
            generated = try ContractGenerator.contracts(
                of: description,
                .init(only: only, isPublic: isPublic)
            )
        } catch {
            for line in error.description.split(separator: "\n") {
                Output.writeError("Error: \(line)")
            }
            throw ExitCode(1)
        }
        for line in Self.summary(generated.notes) { Output.writeError(line) }
        let bytes = Array(generated.text.utf8)
        guard let output, output != "-" else { return Output.write(bytes) }
        let isFolder = DurableFiles.exists(output + "/.")
        let file = isFolder ? output + "/Contracts.swift" : output
        let isWritten = try await write(bytes, to: file)
        let left =
            generated.leftOut == 0 ? "" : ", \(counted(generated.leftOut, "operation")) left out"
        Output.print(
            "\(file): \(counted(generated.contracts, "contract"))\(left)\(isWritten ? "" : ", unchanged")"
        )
    }

    /// Writes the file unless it has the same content, and returns whether it was written.
    private func write(_ bytes: [UInt8], to file: String) async throws -> Bool {
        if DurableFiles.exists(file) {
            let current = try InputFile.read(file, maximum: ContractGenerator.maximumText)
            guard current != bytes else { return false }
            guard force else {
                throw Failure("\(file) has other content. Overwrite it with --force.")
            }
        }
        try await OutputFile.write(file, isShared: true) { try $0.write(bytes) }
        return true
    }

    /// Returns a line for each reason, with its first place and the number of others.
    static func summary(_ notes: [Note]) -> [String] {
        var order: [String] = []
        var places: [String: [String]] = [:]
        for note in notes {
            if places[note.reason] == nil { order.append(note.reason) }
            places[note.reason, default: []].append(note.pointer)
        }
        return order.map { reason in
            let own = places[reason] ?? []
            let more = own.count > 1 ? " (and \(counted(own.count - 1, "other place")))" : ""
            return "note: \(own.first ?? "")\(more): \(reason)"
        }
    }
}
