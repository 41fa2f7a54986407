import ArgumentParser
import PhotoContracts
import PlugboardClient

/// The list of photos, page by page.
struct List: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the photos.")

    @Option(help: "The photos of a page, from 1 to 100.")
    var pageSize = 100

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        var after: Int?
        while true {
            let page = try await action(ListPhotos.self, .init(limit: pageSize, after: after))
            for photo in page { Terminal.print("\(photo.id)  \(photo.title)") }
            guard page.count == pageSize, let last = page.last else { return }
            after = last.id
        }
    }
}

/// A view of a photo: the members that this screen needs.
struct PhotoView: JSONView {
    static let identifier = ViewKey<Int>("id")
    static let title = ViewKey("title", default: "untitled")
    static let keys: [any AnyViewKey] = [identifier, title]

    var content: ViewContent
    var identifier: Int { self[Self.identifier] }
    var title: String { self[Self.title] }
}

/// A photo, as a view over the server's JSON.
struct Show: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Shows a photo.")

    @Argument(help: "The photo's number.")
    var photo: Int

    @Flag(help: "Prints the JSON that the server sent.")
    var raw = false

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        let view: PhotoView = try await app.client.get("/photos/\(photo)")
        Terminal.print(raw ? view.description : "\(view.identifier)  \(view.title)")
    }
}

/// The form of a new photo.
struct Add: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Adds a photo.")

    @Argument(help: "The photo's title.")
    var title: String

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        let photo = try await action(PostPhoto.self, .init(title: title))
        Terminal.print("\(photo.id)  \(photo.title)")
    }
}

extension PhotoID {
    /// Likes the photo.
    func like(as user: String?) async throws -> Likes {
        try await action(LikePhoto.self, .init(id: id, user: user))
    }
}

/// The like button: one tap is one like, however often the connection breaks.
struct Like: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Likes a photo.")

    @Argument(help: "The photo's number.")
    var photo: Int

    @Option(help: "The user's name.")
    var user: String?

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        Terminal.print(try await PhotoID(id: photo).like(as: user))
    }
}

/// The likes of a photo as they change.
struct Watch: AppCommand {
    static let configuration = CommandConfiguration(abstract: "Watches a photo's likes.")

    @Argument(help: "The photo's number.")
    var photo: Int

    @Option(help: "Ends after this many numbers. The default is to watch until the app ends.")
    var count: Int?

    @OptionGroup var options: AppOptions

    func run(in app: AppServices) async throws {
        var left = count ?? .max
        for try await likes in try await app.client.follow(WatchLikes.self, .init(id: photo)) {
            Terminal.print(likes)
            left -= 1
            if left <= 0 { return }
        }
    }
}

extension Terminal {
    fileprivate static func print(_ likes: Likes) {
        print("photo \(likes.photo): \(likes.likes) \(likes.likes == 1 ? "like" : "likes")")
    }
}
