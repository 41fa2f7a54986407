public import HTTPTypes
public import PlugHTTP

/// Lists photos, ordered by number.
open class ListPhotos: Action<ListPhotos.Query, [Photo]>, GET {
    /// The page to list.
    public struct Query: Codable, Sendable {
        /// The greatest number of photos, 1 to 100; 100 if nil.
        public var limit: Int?
        /// The last photo of the previous page: only greater numbers are listed.
        public var after: Int?

        /// A page of at most `limit` photos after the number `after`.
        public init(limit: Int? = nil, after: Int? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    /// Served at `GET /photos`.
    public static var path: String { "/photos" }
}

extension ListPhotos.Query: Constrained {
    /// The limits of a page.
    public static var constraints: Constraints {
        [
            "limit": [
                .minimum(1), .maximum(100), .description("The page size; 100 by default."),
            ],
            "after": [.description("Lists only photos with a greater number.")],
        ]
    }
}

/// The number of a photo, as an input.
public struct PhotoID: Codable, Sendable {
    /// The photo's number.
    public var id: Int

    /// The photo with this number.
    public init(id: Int) { self.id = id }
}

extension PhotoID: Constrained {
    /// A description; any number is accepted.
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
        /// The title, 1 to 200 characters.
        public var title: String

        /// A photo with this title.
        public init(title: String) { self.title = title }
    }

    /// Served at `POST /photos`.
    public static var path: String { "/photos" }

    /// The new photo's path, for the field Location.
    public static func location(of photo: Photo) -> String? { "/photos/\(photo.id)" }
}

extension PostPhoto.Input: Constrained {
    /// The limits of a title, which a NUL would end in SQLite.
    public static var constraints: Constraints {
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
open class LikePhoto: Action<LikePhoto.Like, Likes> {
    /// A photo and the user that likes it.
    public struct Like: Codable, Sendable {
        /// The photo's number.
        public var id: Int
        /// The user's name; nil for an anonymous like.
        public var user: String?

        /// A like of a photo.
        public init(id: Int, user: String? = nil) {
            self.id = id
            self.user = user
        }
    }
}

extension LikePhoto.Like: Constrained {
    /// The limits of a user's name, which a NUL would end in SQLite.
    public static var constraints: Constraints {
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
    public static var path: String { "/photos/{id}/like" }
}

/// Removes one like of the named user, or one anonymous like.
open class UnlikePhoto: Action<LikePhoto.Like, Likes>, DELETE {
    /// Served at `DELETE /photos/{id}/like`.
    public static var path: String { "/photos/{id}/like" }
}

/// Streams the number of a photo's likes: the current one, then each new one.
///
/// A slow reader gets the newest number and misses the ones before it. The server sends events to
/// browsers' `EventSource` and to reconnecting clients, and lines of JSON to others.
open class WatchLikes: Action<WatchLikes.Start, AsyncThrowingStream<Likes, any Error>>, GET {
    /// A photo, and the last event that the client has.
    public struct Start: Codable, Sendable {
        /// The photo's number.
        public var id: Int
        /// The field `Last-Event-ID`: a current number with this id isn't sent again.
        public var lastEvent: String?

        /// The likes of a photo, from the current number on.
        public init(id: Int, lastEvent: String? = nil) {
            self.id = id
            self.lastEvent = lastEvent
        }
    }

    /// Served at `GET /photos/{id}/likes`.
    public static var path: String { "/photos/{id}/likes" }
    /// The member in a field.
    public static var fields: [String: HTTPField.Name] {
        HTTPField.Name("Last-Event-ID").map { ["lastEvent": $0] } ?? [:]
    }
}

extension WatchLikes.Start: Constrained {
    /// Descriptions; any number and any event are accepted.
    public static var constraints: Constraints {
        [
            "id": [.description("The photo's number.")],
            "lastEvent": [.description("The id of the last event that the client received.")],
        ]
    }
}

/// Checks that the photos can be listed.
///
/// `/readyz` calls it; it has no route.
open class CheckPhotos: Action<Void, Void> {}

/// Checks that the server responds.
///
/// Without a path of its own, it is served at `POST /actions/Ping`.
open class Ping: Action<Void, String> {}
