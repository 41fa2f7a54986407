import Plug
import PlugHTTP
import Testing

// The calls of the design, word for word: they must compile as they stand, with these imports.

struct Photo: Codable, Sendable, Equatable { var id: Int; var title: String }
struct Likes: Codable, Sendable, Equatable { var photo: Int; var likes: Int }

class LikePhoto: Action<LikePhoto.Like, Likes> {
    struct Like: Codable, Sendable { var id: Int; var user: String? }
}
extension LikePhoto: POST { static var path: String { "/photos/{id}/like" } }
class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    struct Query: Codable, Sendable { var q: String?; var limit: Int? }
    static var path: String { "/photos" }
}

@Suite("HTTP examples from the design")
struct DesignTests {
    @Test("a contract declares its path")
    func contracts() {
        #expect(LikePhoto.path == "/photos/{id}/like")
        #expect(ListPhotos.path == "/photos")
    }
}
