import PhotoContracts
import PlugHTTP

/// ``ListPhotos`` in memory.
final class MemoryListPhotos: ListPhotos {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Lists the photos.
    override func performNow(_ query: Query) throws -> [Photo] {
        photos.list(limit: try Validation.limit(query.limit), after: query.after ?? 0)
    }
}

/// ``GetPhoto`` in memory.
final class MemoryGetPhoto: GetPhoto {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Gets the photo.
    override func performNow(_ photo: PhotoID) throws -> Photo {
        try photos.photo(photo.id)
    }
}

/// ``PostPhoto`` in memory.
final class MemoryPostPhoto: PostPhoto {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Adds the photo.
    override func performNow(_ input: Input) throws -> Photo {
        photos.add(title: try Validation.title(input.title))
    }
}

/// ``LikePhoto`` in memory.
final class MemoryLikePhoto: LikePhoto {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Adds a like.
    override func performNow(_ like: Like) throws -> Likes {
        try photos.changeLikes(of: like.id, by: 1, user: Validation.user(like.user))
    }
}

/// ``UnlikePhoto`` in memory.
final class MemoryUnlikePhoto: UnlikePhoto {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Removes a like.
    override func performNow(_ like: LikePhoto.Like) throws -> Likes {
        try photos.changeLikes(of: like.id, by: -1, user: Validation.user(like.user))
    }
}

/// ``WatchLikes`` in memory.
final class MemoryWatchLikes: WatchLikes {
    private let photos: MemoryPhotos

    /// Uses a store.
    init(photos: MemoryPhotos) { self.photos = photos }

    /// Opens a stream.
    override func performNow(
        _ start: Start
    ) throws -> AsyncThrowingStream<Likes, any Error> {
        try photos.watchLikes(of: start.id, after: start.lastEvent)
    }
}
