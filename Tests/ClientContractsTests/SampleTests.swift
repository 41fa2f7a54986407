import PhotoContracts
import ExclusivePlugs
import Foundation
import Identity
import PlugboardClient
import Plugboard
import Storage
import Testing

@testable import Orders
@testable import Photos
@testable import Todo

extension Case {
    /// A sample's action, whose inputs are compared as JSON.
    fileprivate static func sample<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input,
        _ output: A.Output
    ) -> Case where A.Input: Codable, A.Output: Codable & Equatable {
        let received = Received<A.Input>()
        action <~ { input in
            received.store(input)
            return output
        }
        return Case(
            name: "\(A.self)",
            exposed: ActionsBuilder.buildExpression(action)
        ) { client in
            let there = try await client.send(action, input)
            #expect(there == output)
            #expect(try JSON(encoding: received.take()) == JSON(encoding: input))
        }
    }

    /// A sample's action without output.
    fileprivate static func sample<A: ActionProtocol>(
        _ action: A.Type,
        _ input: A.Input
    ) -> Case where A.Input: Codable, A.Output == Void {
        let received = Received<A.Input>()
        action <~ { input in received.store(input) }
        return Case(
            name: "\(A.self)",
            exposed: ActionsBuilder.buildExpression(action)
        ) { client in
            try await client.send(action, input)
            #expect(try JSON(encoding: received.take()) == JSON(encoding: input))
        }
    }

    /// A sample's action that streams values.
    fileprivate static func sample<A: ActionProtocol, Value: Codable & Equatable & Sendable>(
        _ action: A.Type,
        _ input: A.Input,
        values: [Value]
    ) -> Case where A.Input: Codable, A.Output == AsyncThrowingStream<Value, any Error> {
        action <~ { _ in
            AsyncThrowingStream { continuation in
                for value in values { continuation.yield(value) }
                continuation.finish()
            }
        }
        return Case(
            name: "\(A.self)",
            exposed: ActionsBuilder.buildExpression(action)
        ) { client in
            let there = try await collect(client.send(action, input))
            #expect(there == values)
        }
    }
}

@Suite("Contracts of the samples over a socket", .exclusivePlugs, .timeLimit(.minutes(5)))
struct SampleTests {
    private static let order = Order(
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        lines: [Order.Line(sku: "TEA-1", count: 2)],
        total: 600,
        state: .placed,
        channel: .web,
        deliverAt: Date(timeIntervalSince1970: 1_800_000_000),
        note: "a\n\"b\""
    )
    private static let tea = Product(sku: "TEA-1", name: "Tea", price: 300, stock: 5, tags: ["x"])
    private static let todo = Todo(id: 1, title: "t", note: nil, isDone: true)

    private static func photos() -> [Case] {
        [
            .sample(ListPhotos.self, .init(limit: 2, after: 7), Photo.first),
            .sample(GetPhoto.self, .init(id: 42), Photo.first[2]),
            .sample(PostPhoto.self, .init(title: "é"), Photo(id: 9, title: "é")),
            .sample(LikePhoto.self, .init(id: 42, user: "ada"), Likes(photo: 42, likes: 1)),
            .sample(UnlikePhoto.self, .init(id: 42), Likes(photo: 42, likes: 0)),
            .sample(WatchLikes.self, .init(id: 42), values: [Likes(photo: 42, likes: 1)]),
            .none("CheckPhotos", CheckPhotos.self),
            .value("Ping", PhotoContracts.Ping.self, "pong"),
        ]
    }

    private static func orders() -> [Case] {
        [
            .sample(
                PlaceOrder.self,
                .init(lines: order.lines, deliverAt: order.deliverAt, note: "n", channel: .shop),
                order
            ),
            .sample(ListOrders.self, .init(state: .paid, limit: 3), [order]),
            .sample(GetOrder.self, .init(id: order.id), order),
            .sample(ChangeOrder.self, .init(id: order.id, note: "x"), order),
            .sample(CancelOrder.self, .init(id: order.id)),
            .sample(PayOrder.self, .init(id: order.id, card: "4242424242424242"), order),
            .body("GetInvoice", GetInvoice.self, .init(id: order.id)) { _ in
                ResponseBody(bytes: Array("a,b\r\n".utf8), mediaType: "text/csv")
            },
            .sample(
                WatchOrder.self,
                .init(id: order.id),
                values: [.init(state: .placed, at: Date(timeIntervalSince1970: 1.5))]
            ),
            .sample(
                ListProducts.self,
                .init(tag: ["a", "b"], inStock: true, limit: 5),
                [tea]
            ),
            .sample(GetProduct.self, .init(sku: "TEA-1"), tea),
            .sample(PutProduct.self, tea, PutProduct.Output(tea, isNew: false)),
            .upload(
                "ImportProducts",
                ImportProducts.self,
                { RequestBody(bytes: Array("{}\n{}\n".utf8), mediaType: "application/jsonl") },
                { body in .init(products: try await bytes(body).filter { $0 == 0x0A }.count) }
            ),
            .sample(QuotePrice.self, .init(sku: "TEA-1", count: 3), QuotePrice.Quote(total: 900)),
            .sample(FindProducts.self, .init(text: "té & co"), [tea]),
        ]
    }

    private static func todos() -> [Case] {
        [
            .sample(
                ListTodos.self,
                .init(isDone: true, cursor: "7", limit: 2),
                Page([todo], next: "8")
            ),
            .sample(AddTodo.self, .init(title: "t", note: nil), todo),
            .sample(EditTodo.self, .init(id: 1, note: .clear, isDone: nil), todo),
            .sample(RemoveTodo.self, .init(id: 1)),
        ]
    }

    @Test("each contract is called as in the process", arguments: ["photos", "orders", "todo"])
    func same(sample: String) async throws {
        let cases =
            switch sample {
            case "photos": Self.photos()
            case "orders": Self.orders()
            default: Self.todos()
            }
        WatchTodos.self <~ { stream([Self.todo, Self.todo]) }
        var server = Server {
            cases.flatMap(\.exposed)
            if sample == "todo" { WatchTodos.self }
        }
        let folder = FileManager.default.temporaryDirectory.path + "/client-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        server.configuration.dataFolder = folder
        let token = try await TokenStore(Storage.of(folder)).create(
            name: "client",
            scopes: [
                "orders:read", "orders:write", "products:write", "todos:remove",
            ]
        )
        try await serving(server, token: token.text) { client in
            for one in cases {
                do {
                    try await one.run(client)
                } catch {
                    Issue.record("\(one.name): \(error)")
                }
            }
            if sample == "todo" {
                let watched = try await collect(client.send(WatchTodos.self))
                #expect(watched == [Self.todo, Self.todo])
            }
        }
    }
}
