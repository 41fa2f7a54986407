import HTTPTypes
import Locking
import Plug
import PlugHTTP
import PlugboardClient

struct Photo: Codable, Sendable, Equatable { var id: Int; var title: String }
struct Likes: Codable, Sendable, Equatable { var photo: Int; var likes: Int }

class LikePhoto: Action<LikePhoto.Like, Likes>, POST {
    struct Like: Codable, Sendable { var id: Int; var user: String? }
    static var path: String { "/photos/{id}/like" }
}
class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    struct Query: Codable, Sendable {
        var q: String?
        var limit: Int?
        var tags: [String]?
        var isPublic: Bool?
    }
    static var path: String { "/photos" }
}
class RemovePhoto: Action<RemovePhoto.Which, Void>, DELETE {
    struct Which: Codable, Sendable { var id: String }
    static var path: String { "/photos/{id}" }
}
class PutPhoto: Action<Photo, Photo>, PUT { static var path: String { "/photos/{id}" } }
class Ping: Action<Void, String>, GET { static var path: String { "/ping" } }
class Flush: Action<Void, Void> {}
class Sum: Action<[Int], Int> {}

/// The design's network implementation, word for word.
final class NetworkLikePhoto: LikePhoto {
    let network: Client
    init(network: Client) { self.network = network }
    override func perform(_ like: Like) async throws -> Likes {
        try await network.send(LikePhoto.self, like)
    }
}

/// A transport that answers from a test and keeps what it was asked to send.
final class CannedTransport: Transport {
    struct Sent: Sendable {
        var request: HTTPRequest
        var body: String
    }

    private let kept = Locked<[Sent]>([])
    private let answer: @Sendable (HTTPRequest) throws -> (HTTPResponse, [UInt8])

    init(_ answer: @escaping @Sendable (HTTPRequest) throws -> (HTTPResponse, [UInt8])) {
        self.answer = answer
    }

    convenience init(_ body: String) {
        self.init(.ok, "application/json", body)
    }

    convenience init(_ status: HTTPResponse.Status, _ type: String, _ body: String) {
        self.init { _ in
            (HTTPResponse(status: status, headerFields: [.contentType: type]), Array(body.utf8))
        }
    }

    var sent: [Sent] { kept.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        let sent = Sent(request: request, body: String(decoding: body, as: UTF8.self))
        kept.withLock { $0.append(sent) }
        return try answer(request)
    }
}
