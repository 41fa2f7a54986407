import Synchronization

/// The body of `POST /photos/{id}/like`.
public struct Like: Codable, Sendable {
    /// The user who likes the photo; nil for an anonymous like.
    public var user: String?
}

/// The answer to it.
public struct Likes: Codable, Sendable {
    /// How many likes the photo has now.
    public var likes: Int
    /// The photo's number.
    public var photo: Int
}

/// Likes in memory, as the sample's `MemoryLikePhoto` counts them: in all, and of each user.
public final class LikeCounter: Sendable {
    private struct Photo {
        var likes = 0
        var likesByUser: [String: Int] = [:]
    }

    private let photos = Mutex<[Int: Photo]>([:])

    /// No photo is liked yet.
    public init() {}

    /// Adds one like.
    public func add(_ like: Like, to photo: Int) -> Likes {
        let likes = photos.withLock { photos in
            photos[photo, default: Photo()].likes += 1
            photos[photo, default: Photo()].likesByUser[like.user ?? "", default: 0] += 1
            return photos[photo, default: Photo()].likes
        }
        return Likes(likes: likes, photo: photo)
    }
}
