import PhotoContracts
import PlugHTTP

/// ``ListPhotos`` in the database.
final class DatabaseListPhotos: ListPhotos {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Lists the photos.
    override func perform(_ query: Query) async throws -> [Photo] {
        try await photos.list(limit: try Validation.limit(query.limit), after: query.after ?? 0)
    }
}

/// ``GetPhoto`` in the database.
final class DatabaseGetPhoto: GetPhoto {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Gets the photo.
    override func perform(_ photo: PhotoID) async throws -> Photo {
        try await photos.photo(photo.id)
    }
}

/// ``PostPhoto`` in the database.
final class DatabasePostPhoto: PostPhoto {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Adds the photo.
    override func perform(_ input: Input) async throws -> Photo {
        try await photos.add(title: try Validation.title(input.title))
    }
}

/// ``LikePhoto`` in the database.
final class DatabaseLikePhoto: LikePhoto {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Adds a like.
    override func perform(_ like: Like) async throws -> Likes {
        let user = try Validation.user(like.user)
        return try await photos.changeLikes(of: like.id, by: 1, user: user)
    }
}

/// ``UnlikePhoto`` in the database.
final class DatabaseUnlikePhoto: UnlikePhoto {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Removes a like.
    override func perform(_ like: LikePhoto.Like) async throws -> Likes {
        let user = try Validation.user(like.user)
        return try await photos.changeLikes(of: like.id, by: -1, user: user)
    }
}

/// ``WatchLikes`` in the database.
///
/// It streams only the changes by this process.
final class DatabaseWatchLikes: WatchLikes {
    private let photos: PhotoDatabase

    /// Uses a store.
    init(photos: PhotoDatabase) { self.photos = photos }

    /// Opens a stream.
    override func perform(
        _ start: Start
    ) async throws -> AsyncThrowingStream<Likes, any Error> {
        try await photos.watchLikes(of: start.id, after: start.lastEvent)
    }
}
