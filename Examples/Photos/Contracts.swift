import PlugHTTP

/// Lists photos, ordered by number.
class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    /// The page to list.
    struct Query: Codable, Sendable {
        /// The greatest number of photos, 1 to 100; 100 if nil.
        var limit: Int?
        /// The last photo of the previous page: only greater numbers are listed.
        var after: Int?

        /// A page of at most `limit` photos after the number `after`.
        init(limit: Int? = nil, after: Int? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    /// Served at `GET /photos`.
    static var path: String { "/photos" }
}

extension ListPhotos.Query: Constrained {
    /// The limits of a page.
    static var constraints: Constraints {
        [
            "limit": [
                .minimum(1), .maximum(100), .description("The page size; 100 by default."),
            ],
            "after": [.description("Lists only photos with a greater number.")],
        ]
    }
}

/// The number of a photo, as an input.
struct PhotoID: Codable, Sendable {
    /// The photo's number.
    var id: Int

    /// The photo with this number.
    init(id: Int) { self.id = id }
}

extension PhotoID: Constrained {
    /// A description; any number is accepted.
    static var constraints: Constraints { ["id": [.description("The photo's number.")]] }
}

/// Gets one photo.
class GetPhoto: Action<PhotoID, Photo>, GET {
    /// Served at `GET /photos/{id}`.
    static var path: String { "/photos/{id}" }
}

/// Adds a photo.
class PostPhoto: Action<PostPhoto.Input, Photo>, POST {
    /// The photo to add.
    struct Input: Codable, Sendable {
        /// The title, 1 to 200 characters.
        var title: String

        /// A photo with this title.
        init(title: String) { self.title = title }
    }

    /// Served at `POST /photos`.
    static var path: String { "/photos" }

    /// The new photo's path, for the field Location.
    static func location(of photo: Photo) -> String? { "/photos/\(photo.id)" }
}

extension PostPhoto.Input: Constrained {
    /// The limits of a title, which a NUL would end in SQLite.
    static var constraints: Constraints {
        [
            "title": [
                .minLength(1), .maxLength(200), .pattern("^[^\\u0000]*$"), .example("Mir"),
                .description("The photo's subject."),
            ]
        ]
    }
}

/// Likes a photo.
///
/// Several likes of one user all count.
class LikePhoto: Action<LikePhoto.Like, Likes> {
    /// A photo and the user that likes it.
    struct Like: Codable, Sendable {
        /// The photo's number.
        var id: Int
        /// The user's name; nil for an anonymous like.
        var user: String?

        /// A like of a photo.
        init(id: Int, user: String? = nil) {
            self.id = id
            self.user = user
        }
    }
}

extension LikePhoto.Like: Constrained {
    /// The limits of a user's name, which a NUL would end in SQLite.
    static var constraints: Constraints {
        [
            "id": [.description("The photo's number.")],
            "user": [
                .minLength(1), .maxLength(100), .pattern("^[^\\u0000]*$"), .example("ada"),
                .description("The user's name; the like is anonymous without it."),
            ],
        ]
    }
}

extension LikePhoto: POST {
    /// Served at `POST /photos/{id}/like`.
    static var path: String { "/photos/{id}/like" }
}

/// Removes one like of the named user, or one anonymous like.
class UnlikePhoto: Action<LikePhoto.Like, Likes>, DELETE {
    /// Served at `DELETE /photos/{id}/like`.
    static var path: String { "/photos/{id}/like" }
}

/// Streams the number of a photo's likes: the current one, then each new one.
///
/// A slow reader gets the newest number and misses the ones before it. The server sends events to
/// browsers' `EventSource`, and lines of JSON to other clients.
class WatchLikes: Action<PhotoID, AsyncThrowingStream<Likes, any Error>>, GET {
    /// Served at `GET /photos/{id}/likes`.
    static var path: String { "/photos/{id}/likes" }
}

/// Checks that the photos can be listed.
///
/// `/readyz` calls it; it has no route.
class CheckPhotos: Action<Void, Void> {}

/// Checks that the server responds.
///
/// Without a path of its own, it is served at `POST /actions/Ping`.
class Ping: Action<Void, String> {}
