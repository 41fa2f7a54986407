// HummingbirdPeer PORT FILE [h2c]: Hummingbird on one event loop, as its documentation writes a server.
import FoundationEssentials
import Hummingbird
import HummingbirdHTTP2
import NIOPosix
import Photos

extension Likes: ResponseEncodable {}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let port = Int(arguments[1]) else {
    fatalError("usage: HummingbirdPeer PORT FILE [h2c]")
}
let behaviors = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: arguments[2])))
let likes = LikeCounter()

let router = Router()
router.get("behaviors.json") { _, _ in
    Response(
        status: .ok,
        headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: behaviors)
    )
}
router.post("photos/:id/like") { request, context in
    let photo = try context.parameters.require("id", as: Int.self)
    return likes.add(try await request.decode(as: Like.self, context: context), to: photo)
}
let application = Application(
    router: router,
    server: arguments.last == "h2c" ? .plaintextHTTP2() : .http1(),
    configuration: .init(address: .hostname("127.0.0.1", port: port), backlog: 4096),
    eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1))
)
try await application.runService()
