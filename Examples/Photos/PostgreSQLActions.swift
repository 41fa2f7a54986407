import PhotoContracts
import PlugHTTP

/// ``ListPhotos`` in PostgreSQL.
final class PostgreSQLListPhotos: ListPhotos {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Lists the photos.
    override func perform(_ query: Query) async throws -> [Photo] {
        try await photos.list(limit: try Validation.limit(query.limit), after: query.after ?? 0)
    }
}

/// ``GetPhoto`` in PostgreSQL.
final class PostgreSQLGetPhoto: GetPhoto {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Gets the photo.
    override func perform(_ photo: PhotoID) async throws -> Photo {
        try await photos.photo(photo.id)
    }
}

/// ``PostPhoto`` in PostgreSQL.
final class PostgreSQLPostPhoto: PostPhoto {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Adds the photo.
    override func perform(_ input: Input) async throws -> Photo {
        try await photos.add(title: try Validation.title(input.title))
    }
}

/// ``LikePhoto`` in PostgreSQL.
final class PostgreSQLLikePhoto: LikePhoto {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Adds a like.
    override func perform(_ like: Like) async throws -> Likes {
        let user = try Validation.user(like.user)
        return try await photos.changeLikes(of: like.id, by: 1, user: user)
    }
}

/// ``UnlikePhoto`` in PostgreSQL.
final class PostgreSQLUnlikePhoto: UnlikePhoto {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Removes a like.
    override func perform(_ like: LikePhoto.Like) async throws -> Likes {
        let user = try Validation.user(like.user)
        return try await photos.changeLikes(of: like.id, by: -1, user: user)
    }
}

/// ``WatchLikes`` in PostgreSQL.
///
/// It streams the changes by all servers of the database.
final class PostgreSQLWatchLikes: WatchLikes {
    private let photos: PostgreSQLPhotos

    /// Uses a store.
    init(photos: PostgreSQLPhotos) { self.photos = photos }

    /// Opens a stream.
    override func perform(
        _ start: Start
    ) async throws -> AsyncThrowingStream<Likes, any Error> {
        try await photos.watchLikes(of: start.id)
    }
}
