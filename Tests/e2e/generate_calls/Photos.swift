import GeneratedPhotos
import PlugboardClient

func callPhotos(_ client: Client) async throws {
    try show("photos.ping", try await client.send(Ping.self))
    let photo = try await client.send(PostPhoto.self, .init(title: "Mir"))
    try show("photos.post", photo.title)
    try show("photos.get", try await client.send(GetPhoto.self, .init(id: photo.id)) == photo)
    try show("photos.list", try await client.send(ListPhotos.self, .init(limit: 2)))
    try show("photos.like", try await client.send(LikePhoto.self, .init(id: 42, user: "ada")))
    try show("photos.anonymous", try await client.send(LikePhoto.self, .init(id: 42)))
    for try await likes in try await client.send(WatchLikes.self, .init(id: 42)) {
        try show("photos.watch", likes)
        break
    }
    try show("photos.unlike", try await client.send(UnlikePhoto.self, .init(id: 42, user: "ada")))
    do {
        _ = try await client.send(GetPhoto.self, .init(id: 999))
    } catch let problem as Problem {
        try show("photos.missing", problem.status.code)
    }
}
