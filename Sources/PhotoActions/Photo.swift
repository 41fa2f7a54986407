/// A photo.
public struct Photo: Codable, Sendable, Equatable {
    /// The number that names it.
    public var id: Int
    /// What it shows.
    public var title: String

    /// A photo of that number and title.
    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// How many likes a photo has.
public struct Likes: Codable, Sendable, Equatable {
    /// The photo's number.
    public var photo: Int
    /// The number of its likes.
    public var likes: Int

    /// So many likes of that photo.
    public init(photo: Int, likes: Int) {
        self.photo = photo
        self.likes = likes
    }
}

extension Photo {
    /// The photos that a new store begins with.
    static let first: [Photo] = [
        Photo(id: 1, title: "Gagarin before the start"),
        Photo(id: 7, title: "Tereshkova on the radio"),
        Photo(id: 42, title: "Earthrise"),
    ]
}
