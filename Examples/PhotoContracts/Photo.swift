public import PlugHTTP

/// A photo.
public struct Photo: Codable, Sendable, Equatable {
    /// The photo's number.
    public var id: Int
    /// The photo's subject.
    public var title: String

    /// A photo with a number and a title.
    public init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// The number of likes of a photo.
public struct Likes: Codable, Sendable, Equatable {
    /// The photo's number.
    public var photo: Int
    /// The number of its likes.
    public var likes: Int

    /// A photo's number of likes.
    public init(photo: Int, likes: Int) {
        self.photo = photo
        self.likes = likes
    }
}

extension Likes: IdentifiedEvent {
    /// The number of likes: the same number again is no news.
    public var eventID: String { "\(likes)" }
}
