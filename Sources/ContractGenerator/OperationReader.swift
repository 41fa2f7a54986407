import JSONCodec
import PlugHTTP

/// Reads a description's operations.
struct OperationReader {
    private let description: Description
    private let book: TypeBook
    /// The number of operations that can't be expressed.
    private(set) var leftOut = 0

    private static let methods = ["get", "post", "put", "patch", "delete"]

    init(_ description: Description, _ book: TypeBook) {
        self.description = description
        self.book = book
    }

    /// An operation's place in the description.
    struct Place {
        let path: String
        let method: String
        let pointer: String
        let operation: JSON
        /// The parameters of all operations of the path.
        let shared: JSON?
        let sharedPointer: String
    }

    /// Returns the operations, or those that the list selects.
    mutating func operations(_ only: [String]) throws(UnusableDescription) -> [Operation] {
        let places = places()
        var unused = Set(only)
        let selected = places.filter { place in
            let hits = only.filter { Self.matches($0, place) }
            unused.subtract(hits)
            return only.isEmpty || !hits.isEmpty
        }
        if let name = only.first(where: unused.contains) {
            throw UnusableDescription(
                "No operation has the tag, the operationId or the path \"\(SwiftText.line(name))\"."
            )
        }
        guard selected.count <= ContractGenerator.maximumOperations else {
            throw UnusableDescription(
                "The description has \(selected.count) operations, and the limit is "
                    + "\(ContractGenerator.maximumOperations). Select some with --only."
            )
        }
        let named = selected.map { ($0, name(of: $0)) }
        var operations: [Operation] = []
        for (place, name) in named {
            do throws(OperationError) {
                operations += try read(place, name)
            } catch {
                switch error {
                case .unusable(let error): throw error
                case .leftOut(let part):
                    leftOut += 1
                    book.note(
                        part.pointer,
                        "\(place.method.uppercased()) \(place.path) is left out, because \(part.reason)"
                    )
                }
            }
        }
        return operations
    }

    private static func matches(_ selector: String, _ place: Place) -> Bool {
        if selector.hasPrefix("/") {
            return place.path == selector
                || place.path.hasPrefix(selector.hasSuffix("/") ? selector : selector + "/")
        }
        if place.operation["operationId"]?.string == selector { return true }
        return place.operation["tags"]?.array?.contains(.string(selector)) ?? false
    }

    private mutating func places() -> [Place] {
        var places: [Place] = []
        for (path, item) in description.root["paths"]?.object ?? [:] {
            let own = "/paths/\(Description.token(path))"
            guard let (item, pointer) = description.resolved(item, at: own) else {
                leftOut += 1
                book.note(own, "left out, because it is in another document, which isn't read")
                continue
            }
            for (method, operation) in item.object ?? [:] where operation.object != nil {
                if ["head", "options", "trace"].contains(method) {
                    leftOut += 1
                    book.note(
                        "\(pointer)/\(method)",
                        "left out, because contracts are GET, POST, PUT, PATCH or DELETE"
                    )
                }
                guard Self.methods.contains(method) else { continue }
                places.append(
                    Place(
                        path: path,
                        method: method,
                        pointer: "\(pointer)/\(method)",
                        operation: operation,
                        shared: item["parameters"],
                        sharedPointer: "\(pointer)/parameters"
                    )
                )
            }
        }
        return places
    }

    /// Returns a new name: that of the operationId, or the method with the path's words.
    private func name(of place: Place) -> String {
        let id = place.operation["operationId"]?.string ?? ""
        let words =
            id.isEmpty
            ? place.method + " " + place.path.replacing("{", with: "by ") : id
        let name = SwiftName.type(words)
        guard book.file.used.contains(name) else {
            book.file.used.insert(name)
            return name
        }
        let isOperation = id.isEmpty || !book.isSchema(name)
        return SwiftName.unique(isOperation ? name : name + "Action", &book.file.used)
    }

    private func read(_ place: Place, _ name: String) throws(OperationError) -> [Operation] {
        let scope = book.scope()
        let request = try RequestReader(description, book, place, scope).read()
        let outputs = try ResponseReader(description, book, place, scope).outputs()
        var operations: [Operation] = []
        for (index, output) in outputs.enumerated() {
            let own =
                index == 0
                ? name : SwiftName.unique(name + output.suffix, &book.file.used)
            var operation = Operation(
                name: own,
                method: place.method.uppercased(),
                path: request.path
            )
            operation.comment = comment(place, output)
            operation.isDeprecated = place.operation["deprecated"] == true
            operation.needsKey = request.needsKey
            operation.owner = name
            operation.nested = Set(scope.declarations.map(\.name))
            operation.input = request.input
            if index > 0, case .members = request.input { operation.input = .type("\(name).Input") }
            operation.output = output.type
            operation.mediaType = output.mediaType
            operation.responseFields = output.fields
            operation.problems = output.problems
            if index == 0 {
                operation.declarations = scope.declarations
                operation.forms = request.forms
            }
            operations.append(operation)
        }
        return operations
    }

    private func comment(_ place: Place, _ output: ResponseReader.Output) -> String {
        let summary = place.operation["summary"]?.string ?? ""
        let description = place.operation["description"]?.string ?? ""
        var parts = [summary, description == summary ? "" : description]
        parts.append("`\(place.method.uppercased()) \(place.path)`")
        parts += output.errors.map { "- \($0)" }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
            .replacing("\n\n- ", with: "\n- ")
    }
}

/// The end of an operation's reading.
enum OperationError: Error {
    case unusable(UnusableDescription)
    case leftOut(LeftOut)

    static func out(_ pointer: String, _ reason: String) -> OperationError {
        .leftOut(LeftOut(pointer, reason))
    }
}

extension TypeBook {
    /// Returns a schema's type for an operation's reader.
    func operationType(
        of schema: JSON,
        at pointer: String,
        as name: TypeName,
        in scope: TypeScope,
        _ direction: Direction
    ) throws(OperationError) -> SwiftType {
        do throws(UnusableDescription) {
            return try type(of: schema, at: pointer, as: name, in: scope, direction)
        } catch {
            throw .unusable(error)
        }
    }
}
