// FlyingFoxPeer PORT FILE: FlyingFox, as its documentation writes a server; its log is off.
import FlyingFox
import FlyingSocks
import Foundation
import Photos

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = UInt16(arguments[1]) else {
    fatalError("usage: FlyingFoxPeer PORT FILE")
}
let json: [HTTPHeader: String] = [.contentType: "application/json"]
let behaviors = try Data(contentsOf: URL(filePath: arguments[2]))
let likes = LikeCounter()

let server = HTTPServer(
    address: try .inet(ip4: "127.0.0.1", port: port),
    timeout: 60,
    logger: .disabled
)
await server.appendRoute("GET /behaviors.json") { _ in
    HTTPResponse(statusCode: .ok, headers: HTTPHeaders(json), body: behaviors)
}
await server.appendRoute("POST /photos/:id/like") { request in
    guard let photo: Int = request.routeParameters["id"] else {
        return HTTPResponse(statusCode: .notFound)
    }
    let like = try await JSONDecoder().decode(Like.self, from: request.bodyData)
    let answer = try JSONEncoder().encode(likes.add(like, to: photo))
    return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(json), body: answer)
}
try await server.run()
