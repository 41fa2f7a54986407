package import JSONCodec

/// A JSON Patch (RFC 6902): operations that are applied all or not at all.
package struct Patch: Sendable {
    /// The operations, in order.
    package var operations: [Operation]

    /// One operation (RFC 6902, section 4).
    package enum Operation: Sendable {
        /// Inserts before an element, after the last (`-`), or as a member.
        case add(Pointer, JSON)
        /// Removes a value.
        case remove(Pointer)
        /// Replaces a value.
        case replace(Pointer, JSON)
        /// Removes a value and adds it at another location.
        case move(from: Pointer, to: Pointer)
        /// Adds a copy of a value at another location.
        case copy(from: Pointer, to: Pointer)
        /// Fails unless the value equals the given one.
        case test(Pointer, JSON)
    }

    /// Creates a patch from its operations.
    package init(_ operations: [Operation]) { self.operations = operations }

    /// Parses a patch.
    ///
    /// Unknown members of operations are ignored (section 4).
    ///
    /// - Throws: an error for a malformed operation, with its location in the patch, or for too
    ///   many operations.
    package init(_ json: JSON, bounds: PatchLimits = PatchLimits()) throws(PatchError) {
        guard case .array(let elements) = json else {
            throw PatchError(
                kind: .malformed,
                pointer: "",
                message: "expected a JSON Patch, an array of operations"
            )
        }
        guard elements.count <= bounds.operations else {
            throw PatchError(
                kind: .tooLarge,
                operation: bounds.operations,
                pointer: "",
                message: "more than \(bounds.operations) operations"
            )
        }
        operations = []
        operations.reserveCapacity(elements.count)
        for (place, element) in elements.enumerated() {
            operations.append(try OperationReader(place: place, json: element).operation())
        }
    }

    /// The patch as JSON.
    package var json: JSON { .array(operations.map(\.json)) }
}

extension Patch.Operation {
    /// The operation as JSON.
    package var json: JSON {
        switch self {
        case .add(let path, let value): members("add", path, ["value": value])
        case .remove(let path): members("remove", path)
        case .replace(let path, let value): members("replace", path, ["value": value])
        case .move(let from, let path): members("move", path, ["from": .string("\(from)")])
        case .copy(let from, let path): members("copy", path, ["from": .string("\(from)")])
        case .test(let path, let value): members("test", path, ["value": value])
        }
    }

    private func members(_ name: String, _ path: Pointer, _ others: JSON.Object = [:]) -> JSON {
        var members: JSON.Object = ["op": .string(name)]
        members["from"] = others["from"]
        members["path"] = .string(path.description)
        members["value"] = others["value"]
        return .object(members)
    }
}

/// Parses one operation of a patch.
private struct OperationReader {
    let place: Int
    let json: JSON

    func operation() throws(PatchError) -> Patch.Operation {
        guard case .object = json else { throw malformed(nil, "expected an object") }
        let name = try text("op")
        switch name {
        case "add": return .add(try pointer("path"), try value())
        case "remove": return .remove(try pointer("path"))
        case "replace": return .replace(try pointer("path"), try value())
        case "move":
            let (from, path) = (try pointer("from"), try pointer("path"))
            guard from.tokens.count == path.tokens.count || !from.isPrefix(of: path) else {
                throw malformed("path", "a value can't be moved into itself")
            }
            return .move(from: from, to: path)
        case "copy": return .copy(from: try pointer("from"), to: try pointer("path"))
        case "test": return .test(try pointer("path"), try value())
        default:
            throw malformed("op", "expected one of add, remove, replace, move, copy, test")
        }
    }

    private func value() throws(PatchError) -> JSON {
        guard let value = json["value"] else { throw malformed("value", "missing") }
        return value
    }

    private func text(_ name: String) throws(PatchError) -> String {
        guard let member = json[name] else { throw malformed(name, "missing") }
        guard case .string(let text) = member else { throw malformed(name, "expected a string") }
        return text
    }

    private func pointer(_ name: String) throws(PatchError) -> Pointer {
        let text = try text(name)
        do throws(PointerError) {
            return try Pointer(text)
        } catch {
            throw malformed(name, error.message)
        }
    }

    private func malformed(_ member: String?, _ message: String) -> PatchError {
        PatchError(
            kind: .malformed,
            operation: place,
            pointer: "/\(place)" + (member.map { "/\($0)" } ?? ""),
            message: message
        )
    }
}
