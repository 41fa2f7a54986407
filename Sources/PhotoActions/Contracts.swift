public import Plug
public import PlugHTTP

/// Lists photos, by their number.
open class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    /// Which photos to list.
    public struct Query: Codable, Sendable {
        /// At most so many, 1 to 100; 100 if not given.
        public var limit: Int?
        /// Only those with a greater number: the last one of the page before.
        public var after: Int?

        /// The photos after one, so many of them.
        public init(limit: Int? = nil, after: Int? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    /// Served at `GET /photos`.
    public static var path: String { "/photos" }
}

extension ListPhotos.Query: Constrained {
    /// At most 100 photos at once.
    public static var constraints: Constraints {
        [
            "limit": [
                .minimum(1), .maximum(100), .description("At most so many; 100 if not given."),
            ],
            "after": [.description("Only those with a greater number.")],
        ]
    }
}

/// Names a photo.
public struct PhotoID: Codable, Sendable {
    /// The photo's number.
    public var id: Int

    /// The photo of that number.
    public init(id: Int) { self.id = id }
}

extension PhotoID: Constrained {
    /// Any number may be asked for.
    public static var constraints: Constraints { ["id": [.description("The photo's number.")]] }
}

/// Gets one photo.
open class GetPhoto: Action<PhotoID, Photo>, GET {
    /// Served at `GET /photos/{id}`.
    public static var path: String { "/photos/{id}" }
}

/// Adds a photo.
open class PostPhoto: Action<PostPhoto.Input, Photo>, POST {
    /// The photo to add.
    public struct Input: Codable, Sendable {
        /// What it shows: 1 to 200 characters.
        public var title: String

        /// A photo of that title.
        public init(title: String) { self.title = title }
    }

    /// Served at `POST /photos`.
    public static var path: String { "/photos" }

    /// The new photo's address.
    public static func location(of photo: Photo) -> String? { "/photos/\(photo.id)" }
}

extension PostPhoto.Input: Constrained {
    /// A title that a database can hold.
    public static var constraints: Constraints {
        [
            "title": [
                .minLength(1), .maxLength(200), .pattern("^[^\\u0000]*$"), .example("Mir"),
                .description("What it shows."),
            ]
        ]
    }
}

/// Likes a photo.
///
/// Each like counts, also a second one of the same user.
open class LikePhoto: Action<LikePhoto.Like, Likes> {
    /// Which photo, and who likes it.
    public struct Like: Codable, Sendable {
        /// The photo's number.
        public var id: Int
        /// Who likes it; nil for somebody who isn't named.
        public var user: String?

        /// A like of that photo.
        public init(id: Int, user: String? = nil) {
            self.id = id
            self.user = user
        }
    }
}

extension LikePhoto.Like: Constrained {
    /// A name that a database can hold.
    public static var constraints: Constraints {
        [
            "id": [.description("The photo's number.")],
            "user": [
                .minLength(1), .maxLength(100), .pattern("^[^\\u0000]*$"), .example("ada"),
                .description("Who likes it; nobody in particular if not given."),
            ],
        ]
    }
}

extension LikePhoto: POST {
    /// Served at `POST /photos/{id}/like`.
    public static var path: String { "/photos/{id}/like" }
}

/// Takes one like back: of the user that is named, or of somebody who wasn't.
open class UnlikePhoto: Action<LikePhoto.Like, Likes>, DELETE {
    /// Served at `DELETE /photos/{id}/like`.
    public static var path: String { "/photos/{id}/like" }
}

/// Watches how many like a photo: the number there is, then each new one.
///
/// Who reads slowly gets the newest and misses what was between. Served as events to browsers'
/// `EventSource`, as lines of JSON to others.
open class WatchLikes: Action<PhotoID, AsyncThrowingStream<Likes, any Error>>, GET {
    /// Served at `GET /photos/{id}/likes`.
    public static var path: String { "/photos/{id}/likes" }
}

/// Tells that the photos can be listed: what `/readyz` asks, and no route of its own.
open class PhotosAnswer: Action<Void, Void> {}

/// Tells that the server answers.
///
/// It has no path of its own: `POST /actions/Ping`.
open class Ping: Action<Void, String> {}
