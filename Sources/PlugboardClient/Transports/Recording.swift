import HTTPTypes
import JSONCodec

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Requests with their responses, for tests without a network.
public struct Recording: Codable, Sendable, Equatable {
    /// A header field.
    struct Field: Codable, Sendable, Equatable {
        var name: String
        var value: String
    }

    /// A request with its response; bodies are base64.
    struct Exchange: Codable, Sendable, Equatable {
        var method: String
        var url: String
        var fields: [Field]
        var body: Base64
        var status: Int
        var responseFields: [Field]
        var responseBody: Base64
    }

    var exchanges: [Exchange] = []

    /// Creates an empty recording.
    public init() {}

    /// The number of exchanges.
    public var count: Int { exchanges.count }

    /// Reads a recording from JSON.
    ///
    /// - Throws: `DecodingError` or another error of JSON.
    public init(json: [UInt8]) throws { self = try JSON.decode(Self.self, from: json) }

    /// Returns the recording as JSON.
    public func json() throws -> [UInt8] { try JSON.encode(self) }

    /// Reads a recording from a file.
    ///
    /// - Throws: An error of the file, `DecodingError`, or another error of JSON.
    public init(file: String) throws {
        try self.init(json: Array(Data(contentsOf: URL(filePath: file))))
    }

    /// Writes the recording to a file, which is the old or the new one after a crash.
    ///
    /// - Throws: An error of the file.
    public func write(to file: String) throws {
        try Data(json()).write(to: URL(filePath: file), options: .atomic)
    }
}

extension Recording {
    static func url(of request: HTTPRequest) -> String {
        "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
    }

    static func fields(_ fields: HTTPFields) -> [Field] {
        fields.map { field in
            Field(
                name: field.name.rawName,
                value: secrets.contains(field.name) ? "…" : field.value
            )
        }
    }

    private static let secrets: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]
}
