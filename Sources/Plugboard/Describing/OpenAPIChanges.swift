import JSONCodec

/// The changes between two descriptions of an API, for clients written for the first one.
package struct OpenAPIChanges {
    /// The changes that may break clients, a sentence each.
    package private(set) var breaking: [String] = []
    /// The changes that clients can ignore.
    package private(set) var harmless: [String] = []

    private let old: JSON
    private let new: JSON

    /// Compares two OpenAPI documents.
    package init(from old: JSON, to new: JSON) {
        self.old = old
        self.new = new
        let olds = Self.operations(old)
        let news = Self.operations(new)
        for old in olds {
            guard let new = news.first(where: { $0.key == old.key }) else {
                breaking.append("\(old.route) is gone")
                continue
            }
            compare(old.operation, new.operation, old.route)
        }
        for new in news where !olds.contains(where: { $0.key == new.key }) {
            harmless.append("\(new.route) is new")
        }
    }

    private struct Operation {
        /// The method and the path.
        let route: String
        /// The route without its parameters' names, which clients don't send.
        let key: String
        /// The operation; its path parameters are named by their position.
        let operation: JSON
    }

    private static func operations(_ api: JSON) -> [Operation] {
        (api["paths"]?.object ?? JSON.Object()).flatMap { path, item in
            let parts = path.split(separator: "{", omittingEmptySubsequences: false)
            let names = parts.dropFirst().map { String($0.prefix { $0 != "}" }) }
            let key = parts.dropFirst().reduce(String(parts.first ?? "")) {
                $0 + "{" + $1.drop { $0 != "}" }
            }
            return (item.object ?? JSON.Object()).compactMap { method, operation -> Operation? in
                guard operation["responses"] != nil else { return nil }
                let method = method.uppercased()
                return Operation(
                    route: "\(method) \(path)",
                    key: "\(method) \(key)",
                    operation: numbered(operation, names)
                )
            }
        }
    }

    private static func numbered(_ operation: JSON, _ names: [String]) -> JSON {
        guard var members = operation.object, let parameters = operation["parameters"]?.array else {
            return operation
        }
        members["parameters"] = .array(
            parameters.map { parameter in
                guard parameter["in"] == "path", var renamed = parameter.object,
                    let place = parameter["name"]?.string.flatMap(names.firstIndex)
                else { return parameter }
                renamed["name"] = .string("number \(place + 1)")
                return .object(renamed)
            }
        )
        return .object(members)
    }

    private mutating func compare(_ old: JSON, _ new: JSON, _ route: String) {
        compareParameters(old, new, route)
        compareBodies(old["requestBody"], new["requestBody"], route)
        compareResponses(old["responses"], new["responses"], route)
        if old["operationId"] != new["operationId"], let name = new["operationId"]?.string {
            breaking.append("\(route) is now called \(name), which renames it in generated clients")
        }
        compareSecurity(old["security"], new["security"], route)
        if new["deprecated"] == true, old["deprecated"] != true {
            harmless.append("\(route) is deprecated")
        }
    }

    // MARK: What clients send

    private mutating func compareParameters(_ old: JSON, _ new: JSON, _ route: String) {
        func parameters(_ operation: JSON) -> [String: JSON] {
            var parameters: [String: JSON] = [:]
            for parameter in operation["parameters"]?.array ?? [] {
                let place = parameter["in"]?.string ?? ""
                parameters["\(parameter["name"]?.string ?? "") in the \(place)"] = parameter
            }
            return parameters
        }
        let (olds, news) = (parameters(old), parameters(new))
        for (name, parameter) in olds.sorted(by: { $0.key < $1.key }) {
            guard let other = news[name] else {
                breaking.append("\(route) no longer accepts \(name)")
                continue
            }
            if other["required"] == true, parameter["required"] != true {
                breaking.append("\(route) now requires \(name)")
            }
            compare(parameter["schema"], other["schema"], "\(route), \(name)", .sent)
        }
        for (name, parameter) in news.sorted(by: { $0.key < $1.key }) where olds[name] == nil {
            if parameter["required"] == true {
                breaking.append("\(route) requires \(name), which is new")
            } else {
                harmless.append("\(route) accepts \(name), which is new")
            }
        }
    }

    private mutating func compareBodies(_ old: JSON?, _ new: JSON?, _ route: String) {
        switch (old, new) {
        case (nil, nil): break
        case (nil, let new?):
            if new["required"] == true {
                breaking.append("\(route) requires a body, which is new")
            } else {
                harmless.append("\(route) accepts a body, which is new")
            }
        case (.some, nil): breaking.append("\(route) no longer accepts a body")
        case (let old?, let new?):
            if new["required"] == true, old["required"] != true {
                breaking.append("\(route) now requires its body")
            }
            let news = new["content"]?.object ?? JSON.Object()
            for (type, content) in old["content"]?.object ?? JSON.Object() {
                guard let other = news[type] else {
                    breaking.append("\(route) no longer accepts a body of \(type)")
                    continue
                }
                compare(content["schema"], other["schema"], "\(route), the body", .sent)
            }
            for type in news.map(\.0) where old["content"]?[type] == nil {
                harmless.append("\(route) accepts a body of \(type), which is new")
            }
        }
    }

    private mutating func compareSecurity(_ old: JSON?, _ new: JSON?, _ route: String) {
        func scopes(_ security: JSON?) -> Set<String>? {
            guard let schemes = security?.array, !schemes.isEmpty,
                // An empty requirement allows callers without credentials.
                !schemes.contains(where: { $0.object?.isEmpty ?? false })
            else { return nil }
            return Set(
                schemes.flatMap { $0.object?.flatMap { $0.value.array ?? [] } ?? [] }
                    .compactMap(\.string)
            )
        }
        let before = scopes(old)
        guard let after = scopes(new) else { return }
        guard let before else {
            return breaking.append("\(route) now requires a token")
        }
        for scope in after.subtracting(before).sorted() {
            breaking.append("\(route) now requires the scope \(scope)")
        }
    }

    // MARK: What clients get

    private mutating func compareResponses(_ old: JSON?, _ new: JSON?, _ route: String) {
        let news = new?.object ?? JSON.Object()
        for (status, response) in old?.object ?? JSON.Object() {
            guard let other = news[status] else {
                if status.hasPrefix("2") {
                    breaking.append("\(route) no longer returns \(status)")
                } else {
                    harmless.append("\(route) no longer returns \(status)")
                }
                continue
            }
            let contents = other["content"]?.object ?? JSON.Object()
            for (type, content) in response["content"]?.object ?? JSON.Object() {
                guard let otherContent = contents[type] else {
                    breaking.append("\(route) now returns \(status) without \(type)")
                    continue
                }
                compare(
                    content["schema"],
                    otherContent["schema"],
                    "\(route), the response \(status)",
                    .got
                )
            }
        }
        for (status, _) in news where old?[status] == nil {
            if status.hasPrefix("2") {
                breaking.append("\(route) may now return \(status)")
            } else {
                harmless.append("\(route) may now return \(status)")
            }
        }
    }

    // MARK: Schemas

    private mutating func compare(
        _ old: JSON?,
        _ new: JSON?,
        _ place: String,
        _ direction: SchemaChanges.Direction
    ) {
        var changes = SchemaChanges(old: self.old, new: self.new, direction)
        changes.compare(old ?? [:], new ?? [:], place, depth: 0)
        for change in changes.breaking where !breaking.contains(change) { breaking.append(change) }
        for change in changes.harmless where !harmless.contains(change) { harmless.append(change) }
    }
}
