import GRDB
import PlugHTTP
import Storage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Products and orders in the data folder's database.
///
/// Each change is one transaction, on the disk before its call returns.
final class OrderDatabase: Sendable {
    private let storage: Storage
    private let watchers = OrderWatchers()

    /// The orders of a data folder; the first call opens the database.
    init(_ storage: Storage) { self.storage = storage }

    private static let schema = Schema(
        "orders",
        sql: """
            CREATE TABLE products (sku TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE orders (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                customer TEXT NOT NULL,
                state TEXT NOT NULL,
                json TEXT NOT NULL
            );
            CREATE INDEX orders_of ON orders (customer, number);
            CREATE TABLE order_events (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                json TEXT NOT NULL
            );
            CREATE INDEX events_of ON order_events (id);
            """
    )

    /// Checks that the database can be used; writes nothing.
    func check() throws(StorageError) { try storage.check(Self.schema) }

    // MARK: Products

    func products() async throws -> [Product] {
        let rows = try await storage.read(Self.schema) { database in
            try String.fetchAll(database, sql: "SELECT json FROM products ORDER BY sku")
        }
        return try (rows ?? []).map { try Self.decode($0) }
    }

    func product(_ sku: String) async throws -> Product {
        let product = try await storage.read(Self.schema) { try Self.product(sku, $0) }
        guard let product else { throw UnknownProduct(sku) }
        return product
    }

    /// Sets products, and returns the numbers of the new ones.
    @discardableResult
    func set(_ products: [Product]) async throws -> [String] {
        try await storage.write(Self.schema) { database in
            try products.compactMap { product in
                let isThere = try Bool.fetchOne(
                    database,
                    sql: "SELECT count(*) > 0 FROM products WHERE sku = ?",
                    arguments: [product.sku]
                )
                try Self.save(product, database)
                return isThere == true ? nil : product.sku
            }
        }
    }

    private static func product(_ sku: String, _ database: Database) throws -> Product {
        let row = try String.fetchOne(
            database,
            sql: "SELECT json FROM products WHERE sku = ?",
            arguments: [sku]
        )
        guard let row else { throw UnknownProduct(sku) }
        return try decode(row)
    }

    private static func save(_ product: Product, _ database: Database) throws {
        try database.execute(
            sql:
                "INSERT INTO products VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json",
            arguments: [product.sku, try encode(product)]
        )
    }

    // MARK: Orders

    /// Takes the ordered products from the stock, and stores the order.
    func place(_ input: PlaceOrder.Input, for customer: String) async throws -> Order {
        let counts = try input.lines.reduce(into: [:]) { counts, line in
            counts[line.sku] = try counts[line.sku, default: 0].plus(line.count)
        }
        return try await change { database in
            var total = 0
            for (sku, count) in counts {
                var product = try Self.product(sku, database)
                try product.take(count)
                total = try total.plus(try product.price(of: count))
                try Self.save(product, database)
            }
            let order = Order(
                id: UUID(),
                lines: input.lines,
                total: total,
                state: .placed,
                channel: input.channel ?? .web,
                deliverAt: input.deliverAt,
                note: input.note
            )
            try database.execute(
                sql: "INSERT INTO orders (id, customer, state, json) VALUES (?, ?, ?, ?)",
                arguments: [
                    order.id.uuidString, customer, order.state.rawValue, try Self.encode(order),
                ]
            )
            return (order, hasCome: true)
        }
    }

    func orders(_ query: ListOrders.Query, of customer: String) async throws -> [Order] {
        let rows = try await storage.read(Self.schema) { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT json FROM orders WHERE customer = ? AND (? IS NULL OR state = ?)
                    ORDER BY number DESC LIMIT ?
                    """,
                arguments: [
                    customer, query.state?.rawValue, query.state?.rawValue, query.limit,
                ]
            )
        }
        return try (rows ?? []).map { try Self.decode($0) }
    }

    func order(_ id: UUID, of customer: String) async throws -> Order {
        let order = try await storage.read(Self.schema) { try Self.order(id, of: customer, $0) }
        guard let order else { throw UnknownOrder() }
        return order
    }

    /// Changes an order that is still open.
    func update(
        _ id: UUID,
        of customer: String,
        _ body: @escaping @Sendable (inout Order) throws -> Void
    ) async throws -> Order {
        try await change { database in
            var order = try Self.order(id, of: customer, database)
            guard order.state == .placed else { throw OrderClosed(order.state) }
            try body(&order)
            try database.execute(
                sql: "UPDATE orders SET state = ?, json = ? WHERE id = ?",
                arguments: [order.state.rawValue, try Self.encode(order), id.uuidString]
            )
            if order.state == .cancelled {
                for line in order.lines {
                    var product = try Self.product(line.sku, database)
                    product.restoreEdit(line.count)
                    try Self.save(product, database)
                }
            }
            return (order, hasCome: order.state != .placed)
        }
    }

    private static func order(
        _ id: UUID,
        of customer: String,
        _ database: Database
    ) throws -> Order {
        let row = try String.fetchOne(
            database,
            sql: "SELECT json FROM orders WHERE id = ? AND customer = ?",
            arguments: [id.uuidString, customer]
        )
        guard let row else { throw UnknownOrder() }
        return try decode(row)
    }

    // MARK: Events

    /// Streams an order's past and later events, until it is closed.
    func events(
        _ id: UUID,
        of customer: String
    ) async throws -> AsyncThrowingStream<WatchOrder.Event, any Error> {
        _ = try await order(id, of: customer)
        // Watching begins before the read of the past: an event in between comes twice, and
        // OrderWatchers drops the second one by its state.
        return try await watchers.watch(id) { [storage] in
            let rows = try await storage.read(Self.schema) { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT json FROM order_events WHERE id = ? ORDER BY number",
                    arguments: [id.uuidString]
                )
            }
            return try (rows ?? []).map { try Self.decode($0) }
        }
    }

    /// Changes an order in a transaction.
    ///
    /// If the state has changed (`hasCome`), it stores an event and sends it to the streams.
    private func change(
        _ body: @escaping @Sendable (Database) throws -> (Order, hasCome: Bool)
    ) async throws -> Order {
        let (order, event) = try await storage.write(Self.schema) { database in
            let (order, hasCome) = try body(database)
            guard hasCome else { return (order, nil as WatchOrder.Event?) }
            let event = WatchOrder.Event(state: order.state, at: Self.now)
            try database.execute(
                sql: "INSERT INTO order_events (id, json) VALUES (?, ?)",
                arguments: [order.id.uuidString, try Self.encode(event)]
            )
            return (order, event)
        }
        if let event { watchers.tell(event, of: order.id) }
        return order
    }

    /// The current time in whole seconds, as stored.
    private static var now: Date {
        Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    }

    private static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    private static func decode<Value: Decodable>(_ text: String) throws -> Value {
        try JSON.decode(Value.self, from: Array(text.utf8))
    }
}
