import BehaviorClient
import PhotoContracts
import PlugboardClient

/// The modules that the server's behaviors can use, and the app's own behavior.
enum AppModules {
    static let catalog = ModuleCatalog("PhotoApp") {
        Banner.self
        Gallery.self
        Trouble.self
    }

    /// The behavior of the first start, before the app has reached its server.
    static let bundled = """
        [{"name": "Banner", "actions": [{"func": "show", "value": "Welcome to the photos"}]}]
        """
}

/// A line above the photos.
final class Banner: Module {
    func show(_ text: String) { Terminal.print("== \(text) ==") }

    static let functions: [Function<Banner>] = [
        Function("show") { (banner: Banner, text: String) in banner.show(text) }
    ]
}

/// The photo of the day.
final class Gallery: Module {
    /// Shows a photo; its absence is a failure of the function, not of the app.
    func feature(_ number: Int) async throws {
        let photo = try await action(GetPhoto.self, .init(id: number))
        Terminal.print("photo of the day: \(photo.title)")
    }

    static let functions: [Function<Gallery>] = [
        Function("feature") { (gallery: Gallery, number: Int) in
            try await gallery.feature(number)
        }
    ]
}

/// Faults, to see how the app survives them.
final class Trouble: Module {
    static let functions: [Function<Trouble>] = [
        Function("crash") { (_: Trouble) in fatalError("a fault of the app") }
    ]
}
