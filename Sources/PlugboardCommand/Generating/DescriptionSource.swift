import HTTPSyntax
import HTTPTypes
import JSONCodec
import PlugHTTP
import PlugboardClient

/// The place of an OpenAPI description: a URL, a file, or the standard input.
struct DescriptionSource {
    private let text: String
    private let options: ClientOptions

    /// The maximum size of a description in bytes.
    private static let maximumSize = 16 << 20
    /// The maximum time of a request with its redirects.
    private static let maximumTime = Duration.seconds(30)

    init(_ text: String, _ options: ClientOptions) {
        self.text = text
        self.options = options
    }

    /// Reads the description.
    ///
    /// - Throws: ``Failure`` with the reason and the remedy.
    func json() async throws -> JSON {
        let url = text.lowercased()
        let isURL = url.hasPrefix("http://") || url.hasPrefix("https://")
        let bytes =
            isURL ? try await fetched() : try InputFile.read(text, maximum: Self.maximumSize)
        let name = isURL ? RedactedURL.text(text) : text == "-" ? "The standard input" : text
        do {
            return try JSON(parsing: bytes)
        } catch {
            throw Failure(Self.message(bytes, name, error))
        }
    }

    /// Returns the error of a text that isn't JSON.
    static func message(_ bytes: [UInt8], _ name: String, _ error: JSONError) -> String {
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline).map(String.init)
        if lines.contains(where: { $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:") }) {
            return "\(name) is YAML. Only JSON is read. Convert it, for example: "
                + "yq -o=json openapi.yaml | plugboard generate --openapi -"
        }
        if start.drop(while: \.isWhitespace).hasPrefix("<") {
            return "\(name) is HTML or XML. Give the URL of the description in JSON."
        }
        return "\(name) isn't valid JSON: \(error)"
    }

    /// The request of a description.
    private struct Request: API.GET {
        typealias Response = [UInt8]
        let path: String
        let headers = ["Accept": "application/vnd.oai.openapi+json, application/json, */*;q=0.1"]
    }

    private func fetched() async throws -> [UInt8] {
        let whole = text.prefix { $0 != "#" }
        let authority = whole.firstRange(of: "://").map { $0.upperBound } ?? whole.endIndex
        let end = whole[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? whole.endIndex
        let target = whole[end...]
        let path =
            target.isEmpty || target == "/"
            ? "/openapi.json" : target.hasPrefix("?") ? "/" + target : String(target)
        let transport = RedirectingTransport(
            options.transport ?? PlatformTransport.shared,
            policy: .anyOrigin
        )
        let client = Client(String(whole[..<end]), transport: transport).within(Self.maximumTime)
        let shown = RedactedURL.text(text)
        do {
            return try await client.send(Request(path: path))
        } catch let error as API.ErrorResponse {
            let reason = error.status.reasonPhrase.isEmpty ? "" : " " + error.status.reasonPhrase
            let location = error.fields[.location].map {
                " to \(RedactedURL.text($0)), which isn't followed"
            }
            throw Failure(
                "\(shown): the response is \(error.status.code)\(reason)\(location ?? "")"
            )
        } catch let error as ClientError {
            throw Failure("\(shown): \(ClientOptions.text(error))")
        }
    }
}
