import Plug

/// ``ListPhotos`` in memory.
public final class MemoryListPhotos: ListPhotos {
    private let photos: MemoryPhotos

    /// Reads that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Lists the photos.
    public override func performNow(_ query: Query) throws -> [Photo] {
        photos.list(limit: try Validation.limit(query.limit), after: query.after ?? 0)
    }
}

/// ``GetPhoto`` in memory.
public final class MemoryGetPhoto: GetPhoto {
    private let photos: MemoryPhotos

    /// Reads that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Gets the photo.
    public override func performNow(_ photo: PhotoID) throws -> Photo {
        try photos.photo(photo.id)
    }
}

/// ``PostPhoto`` in memory.
public final class MemoryPostPhoto: PostPhoto {
    private let photos: MemoryPhotos

    /// Writes to that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Adds the photo.
    public override func performNow(_ input: Input) throws -> Photo {
        photos.add(title: try Validation.title(input.title))
    }
}

/// ``LikePhoto`` in memory.
public final class MemoryLikePhoto: LikePhoto {
    private let photos: MemoryPhotos

    /// Writes to that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Adds a like.
    public override func performNow(_ like: Like) throws -> Likes {
        try photos.changeLikes(of: like.id, by: 1, user: Validation.user(like.user))
    }
}

/// ``UnlikePhoto`` in memory.
public final class MemoryUnlikePhoto: UnlikePhoto {
    private let photos: MemoryPhotos

    /// Writes to that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Takes a like back.
    public override func performNow(_ like: LikePhoto.Like) throws -> Likes {
        try photos.changeLikes(of: like.id, by: -1, user: Validation.user(like.user))
    }
}

/// ``WatchLikes`` in memory.
public final class MemoryWatchLikes: WatchLikes {
    private let photos: MemoryPhotos

    /// Watches that store.
    public init(photos: MemoryPhotos) { self.photos = photos }

    /// Begins to watch.
    public override func performNow(
        _ photo: PhotoID
    ) throws -> AsyncThrowingStream<Likes, any Error> {
        try photos.watchLikes(of: photo.id)
    }
}
