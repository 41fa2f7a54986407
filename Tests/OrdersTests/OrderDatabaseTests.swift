import Foundation
import GRDB
import PlugHTTP
import Storage
import TestDatabase
import Testing

@testable import Orders

@Suite("Orders in the database")
struct OrderDatabaseTests {
    /// Runs a test with a new database in a temporary folder.
    private func withOrders(_ body: (OrderDatabase) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/orders-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let orders = OrderDatabase(Storage.of(folder))
        try await body(orders)
    }

    private let tea = Product(sku: "TEA-1", name: "Tea", price: 300, stock: 5)

    private func line(_ count: Int) -> PlaceOrder.Input {
        PlaceOrder.Input(lines: [Order.Line(sku: "TEA-1", count: count)])
    }

    @Test("a missing database has no products and no orders, without an error")
    func empty() async throws {
        try await withOrders { orders in
            let products = try await orders.products()
            #expect(products.isEmpty)
            let mine = try await orders.orders(ListOrders.Query(), of: "ada")
            #expect(mine.isEmpty)
            await #expect(throws: UnknownProduct.self) { try await orders.product("TEA-1") }
            await #expect(throws: UnknownOrder.self) { try await orders.order(UUID(), of: "ada") }
        }
    }

    @Test("set returns the numbers of the new products, each once")
    func new() async throws {
        try await withOrders { orders in
            let cup = Product(sku: "CUP-1", name: "Cup", price: 900, stock: 1)
            for (products, new) in [
                ([tea], ["TEA-1"]), ([tea, cup, cup], ["CUP-1"]), ([tea, cup], []),
            ] {
                let told = try await orders.set(products)
                #expect(told == new)
            }
        }
    }

    @Test("of 20 concurrent orders for a stock of 5, 5 succeed")
    func stock() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let placed = await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await orders.place(line(1), for: "customer \(number)")
                            return true
                        } catch {
                            return !(error is SoldOut)
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(placed == 5)
            let left = try await orders.product("TEA-1").stock
            #expect(left == 0)
        }
    }

    @Test("an order with one invalid line changes nothing")
    func whole() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let lines = [("TEA-1", 3), ("TEA-1", 3)].map { Order.Line(sku: $0.0, count: $0.1) }
            await #expect(throws: SoldOut.self) {
                try await orders.place(PlaceOrder.Input(lines: lines), for: "ada")
            }
            await #expect(throws: UnknownProduct.self) {
                let lines = [("TEA-1", 1), ("CUP-1", 1)].map { Order.Line(sku: $0.0, count: $0.1) }
                _ = try await orders.place(PlaceOrder.Input(lines: lines), for: "ada")
            }
            let left = try await orders.product("TEA-1").stock
            #expect(left == 5)
        }
    }

    @Test("only an order's customer can read and change it")
    func customers() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let order = try await orders.place(line(2), for: "ada")
            #expect(order.total == 600)
            let kept = try await orders.order(order.id, of: "ada")
            #expect(kept == order)
            await #expect(throws: UnknownOrder.self) {
                try await orders.order(order.id, of: "bob")
            }
            await #expect(throws: UnknownOrder.self) {
                try await orders.update(order.id, of: "bob") { $0.state = .cancelled }
            }
            let paid = try await orders.orders(ListOrders.Query(state: .paid), of: "ada")
            #expect(paid.isEmpty)
        }
    }

    @Test("a closed order can't change; a cancelled one returns its products to the stock")
    func closing() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let order = try await orders.place(line(2), for: "ada")
            _ = try await orders.update(order.id, of: "ada") { $0.state = .cancelled }
            let left = try await orders.product("TEA-1").stock
            #expect(left == 5)
            await #expect(throws: OrderClosed.self) {
                try await orders.update(order.id, of: "ada") { $0.state = .paid }
            }
        }
    }

    @Test("an overflow by stored values is an error")
    func beyond() async throws {
        try await withOrders { orders in
            var gold = Product(sku: "GOLD-1", name: "Gold", price: .max, stock: 9)
            #expect(throws: OutOfRange.self) { try gold.price(of: 2) }
            #expect(throws: SoldOut.self) { try gold.take(-1) }
            gold.stock = .max
            gold.restoreEdit(1)
            #expect(gold.stock == Product.maximumStock)
            gold.stock = 9
            try await orders.set([gold, tea])
            for lines in [
                [("GOLD-1", 2)], [("GOLD-1", 1), ("TEA-1", 1)], [("TEA-1", .max), ("TEA-1", 1)],
            ] {
                let lines = lines.map { Order.Line(sku: $0.0, count: $0.1) }
                await #expect(throws: OutOfRange.self) {
                    try await orders.place(PlaceOrder.Input(lines: lines), for: "ada")
                }
            }
        }
    }

    @Test("a cancelled order raises the stock at most to its limit")
    func full() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let order = try await orders.place(line(2), for: "ada")
            var full = tea
            full.stock = Product.maximumStock - 1
            try await orders.set([full])
            _ = try await orders.update(order.id, of: "ada") { $0.state = .cancelled }
            let left = try await orders.product("TEA-1").stock
            #expect(left == Product.maximumStock)
        }
    }

    @Test("a stream has past and later events, each once, until the order closes")
    func watching() async throws {
        try await withOrders { orders in
            try await orders.set([tea])
            let order = try await orders.place(line(1), for: "ada")
            let stream = try await orders.events(order.id, of: "ada")
            _ = try await orders.update(order.id, of: "ada") { $0.note = "soon" }
            _ = try await orders.update(order.id, of: "ada") { $0.state = .paid }
            var states: [Order.State] = []
            for try await event in stream { states.append(event.state) }
            #expect(states == [.placed, .paid])
            let later = try await orders.events(order.id, of: "ada")
            states = []
            for try await event in later { states.append(event.state) }
            #expect(states == [.placed, .paid])
            await #expect(throws: UnknownOrder.self) {
                try await orders.events(order.id, of: "bob")
            }
        }
    }

    @Test("a database of another version is rejected before anything is plugged")
    func otherVersion() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/orders-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try await Storage.of(folder).write(Schema("orders", sql: "")) { _ in }
        let path = folder + "/" + Storage.fileName
        try await DatabaseQueue.beside(path).write { database in
            try database.execute(sql: "UPDATE grdb_migrations SET identifier = 'orders 2'")
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: StorageError.self) {
            try OrderPlugs.plug(Storage.of(folder + "/."))
        }
        #expect(error?.reason.contains("has the migration \"orders 2\"") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
}
