/// A photo.
struct Photo: Codable, Sendable, Equatable {
    /// The photo's number.
    var id: Int
    /// The photo's subject.
    var title: String

    /// A photo with a number and a title.
    init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// The number of likes of a photo.
struct Likes: Codable, Sendable, Equatable {
    /// The photo's number.
    var photo: Int
    /// The number of its likes.
    var likes: Int

    /// A photo's number of likes.
    init(photo: Int, likes: Int) {
        self.photo = photo
        self.likes = likes
    }
}

extension Photo {
    /// The photos of a new store.
    static let first: [Photo] = [
        Photo(id: 1, title: "Gagarin before the start"),
        Photo(id: 7, title: "Tereshkova on the radio"),
        Photo(id: 42, title: "Earthrise"),
    ]
}
