import HTTPTypes
import JSONCodec
import Plug
import PlugHTTP
import Testing

class AddPhoto: Action<AddPhoto.New, Photo>, POST {
    struct New: Codable, Sendable { var title: String }
    static var path: String { "/photos" }
    static func location(of photo: Photo) -> String? { "/photos/\(photo.id)" }
}
class RenamePhoto: Action<Photo, Photo>, PATCH { static var path: String { "/photos/{id}" } }
class PutPhoto: Action<Photo, Photo>, PUT { static var path: String { "/photos/{id}" } }
class RemovePhoto: Action<RemovePhoto.Which, Void>, DELETE {
    struct Which: Codable, Sendable { var id: Int }
    static var path: String { "/photos/{id}" }
}
class Ping: Action<Void, String> {}
class OddName: Action<Void, Void> {
    override class var name: String { "odd name/{x}" }
}
class Misplaced: Action<Void, Void>, GET { static var path: String { "photos" } }

@Suite("Endpoint and ActionRoute")
struct EndpointTests {
    @Test("each protocol determines its method, and each method whether it has a body")
    func methods() {
        #expect(ListPhotos.method == .get && !HTTPRequest.Method.get.hasBody)
        #expect(LikePhoto.method == .post && HTTPRequest.Method.post.hasBody)
        #expect(PutPhoto.method == .put && HTTPRequest.Method.put.hasBody)
        #expect(RenamePhoto.method == .patch && HTTPRequest.Method.patch.hasBody)
        #expect(RemovePhoto.method == .delete && !HTTPRequest.Method.delete.hasBody)
    }

    @Test("an endpoint's route is its method and path")
    func endpointRoute() throws {
        let route = try ActionRoute(LikePhoto.self)
        #expect(route.method == .post)
        #expect(route.template.description == "/photos/{id}/like")
        #expect(route.hasBody)
        #expect(try !ActionRoute(ListPhotos.self).hasBody)
    }

    @Test("an implementation has the route of its contract")
    func implementation() throws {
        final class NetworkLikePhoto: LikePhoto {}
        #expect(try ActionRoute(NetworkLikePhoto.self) == ActionRoute(LikePhoto.self))
    }

    @Test("an action without a method is a POST at its name")
    func defaultRoute() throws {
        let route = try ActionRoute(Ping.self)
        #expect(route.method == .post)
        #expect(route.template.staticPath == "/actions/Ping")
    }

    @Test("any action name is one segment of the action's path")
    func oddName() throws {
        let template = try ActionRoute(OddName.self).template
        #expect(template.staticPath == "/actions/odd%20name%2F%7Bx%7D")
        #expect(try template.captures(inText: "/actions/odd%20name%2F%7Bx%7D") == [])
    }

    @Test("an invalid path is an error with its remedy")
    func misplaced() {
        let error = #expect(throws: PathTemplate.Invalid.self) { try ActionRoute(Misplaced.self) }
        #expect(error?.description.contains("must start with \"/\"") == true)
    }

    @Test("the endpoint returns the location, by default nil")
    func location() {
        let added = AddPhoto.locator(as: AddPhoto.self)
        #expect(added(Photo(id: 7, title: "Sea")) == "/photos/7")
        let liked = LikePhoto.locator(as: LikePhoto.self)
        #expect(liked(Likes(photo: 1, likes: 1)) == nil)
    }

    @Test("GET is safe, GET and PUT are idempotent, and POST is neither")
    func repetition() {
        class Read: Action<Int, Int>, GET { static var path: String { "/read" } }
        class Set: Action<Int, Int>, PUT { static var path: String { "/set" } }
        class Make: Action<Int, Int>, POST { static var path: String { "/make" } }
        let actions: [any ActionProtocol.Type] = [Read.self, Set.self, Make.self]
        #expect(actions.map { $0 is any SafeAction.Type } == [true, false, false])
        #expect(actions.map { $0 is any IdempotentAction.Type } == [true, true, false])
    }
}
