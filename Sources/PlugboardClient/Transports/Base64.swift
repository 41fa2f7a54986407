#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that are base64 in JSON.
struct Base64: Codable, Sendable, Equatable {
    var bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        bytes = Array(try decoder.singleValueContainer().decode(Data.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes))
    }
}
