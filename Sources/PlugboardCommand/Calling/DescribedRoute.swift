import HTTPTypes
import JSONCodec
import PlugHTTP
import PlugboardClient

extension ActionRoute {
    /// Returns an action's route from a server's description, `/openapi.json`.
    ///
    /// - Returns: the route; nil if the server has no description or the action isn't in it.
    static func find(_ action: String, at client: Client) async throws -> ActionRoute? {
        let description: JSON
        do {
            description = try await client.get("/openapi.json")
        } catch let problem as Problem where problem.status == .notFound {
            return nil
        }
        for (path, operations) in description["paths"]?.object ?? [:] {
            for (method, operation) in operations.object ?? [:]
            where operation["operationId"]?.string == action {
                return try ActionRoute(describing: operation, method, path)
            }
        }
        return nil
    }

    /// Makes the route of an OpenAPI operation.
    private init(
        describing operation: JSON,
        _ method: String,
        _ path: String
    ) throws(PathTemplate.Invalid) {
        let method = HTTPRequest.Method(method.uppercased()) ?? .post
        let parameters = operation["parameters"]?.array ?? []
        var fields: [String: HTTPField.Name] = [:]
        var queried: [String] = []
        for parameter in parameters {
            guard let name = parameter["name"]?.string else { continue }
            switch parameter["in"]?.string {
            case "header":
                guard let member = parameter[Self.memberKey]?.string else { continue }
                fields[member] = HTTPField.Name(name)
            case "query" where method.hasBody: queried.append(name)
            default: break
            }
        }
        let body = operation["requestBody"]
        let wholeBody = body?[Self.memberKey]?.string
        self.init(
            method: method,
            template: try PathTemplate(path),
            fields: fields,
            wholeBody: wholeBody,
            bodyTypes: wholeBody == nil ? [] : body?["content"]?.object?.names ?? [],
            queried: wholeBody == nil ? queried : []
        )
    }
}
