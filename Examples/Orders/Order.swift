import PlugHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A customer's order.
struct Order: Codable, Sendable, Equatable {
    /// The state of an order.
    enum State: String, Codable, Sendable, CaseIterable {
        case placed, paid, cancelled
    }

    /// A product with a number of pieces.
    struct Line: Codable, Sendable, Equatable {
        /// The product's number.
        var sku: String
        /// The number of pieces.
        var count: Int

        /// A number of pieces of a product.
        init(sku: String, count: Int) {
            self.sku = sku
            self.count = count
        }
    }

    /// The order's number.
    var id: UUID
    /// The ordered products.
    var lines: [Line]
    /// The total price, in cents.
    var total: Int
    /// The order's state.
    var state: State
    /// The channel that the order came through.
    var channel: PlaceOrder.Channel
    /// The time of delivery.
    var deliverAt: Date?
    /// The customer's note.
    var note: String?
}

extension Order.Line: Constrained {
    /// The limits of a line.
    static var constraints: Constraints {
        [
            "sku": [.pattern(Product.skuPattern), .example("TEA-250")],
            "count": [.minimum(1), .maximum(99)],
        ]
    }
}

/// The number of an order, as an input.
struct OrderID: Codable, Sendable {
    /// The order's number.
    var id: UUID

    /// The order with this number.
    init(id: UUID) { self.id = id }
}

/// Places an order, once for each `Idempotency-Key`.
class PlaceOrder: Action<PlaceOrder.Input, Order>, POST, Scoped, RequiresIdempotencyKey {
    /// The channel that an order comes through.
    enum Channel: String, Codable, Sendable, CaseIterable {
        case app, web, shop
    }

    /// The order to place.
    struct Input: Codable, Sendable {
        /// The products to order.
        var lines: [Order.Line]
        /// The time of delivery.
        var deliverAt: Date?
        /// The customer's note.
        var note: String?
        /// The channel, in the field `Order-Channel`.
        var channel: Channel?

        /// An order with these lines.
        init(
            lines: [Order.Line],
            deliverAt: Date? = nil,
            note: String? = nil,
            channel: Channel? = nil
        ) {
            self.lines = lines
            self.deliverAt = deliverAt
            self.note = note
            self.channel = channel
        }
    }

    /// Served at `POST /orders`.
    static var path: String { "/orders" }
    /// The header field of each member that has one.
    static var fields: [String: HTTPField.Name] {
        HTTPField.Name("Order-Channel").map { ["channel": $0] } ?? [:]
    }
    /// The summary in the description.
    static var summary: String? { "Places an order" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:write"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] {
        [UnknownProduct.self, SoldOut.self]
    }
    /// The new order's path, for the field Location.
    static func location(of order: Order) -> String? { "/orders/\(order.id.uuidString)" }
}

extension PlaceOrder.Input: Constrained {
    /// The limits of an order.
    static var constraints: Constraints {
        ["lines": [.minItems(1), .maxItems(50)], "note": [.minLength(1), .maxLength(500)]]
    }
}

/// Lists the caller's orders, newest first.
class ListOrders: Action<ListOrders.Query, [Order]>, GET, Scoped {
    /// The orders to list.
    struct Query: Codable, Sendable, Constrained {
        /// The state of the orders; nil for all.
        var state: Order.State?
        /// The greatest number of orders.
        var limit: Int

        /// A query for at most `limit` orders.
        init(state: Order.State? = nil, limit: Int = 20) {
            self.state = state
            self.limit = limit
        }

        /// The limits of a query.
        static var constraints: Constraints {
            ["limit": [.default(20), .minimum(1), .maximum(100)]]
        }
    }

    /// Served at `GET /orders`.
    static var path: String { "/orders" }
    /// The summary in the description.
    static var summary: String? { "Lists the caller's orders" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:read"] }
}

/// Gets one of the caller's orders.
class GetOrder: Action<OrderID, Order>, GET, Scoped, HasEntityTag {
    /// Served at `GET /orders/{id}`.
    static var path: String { "/orders/{id}" }
    /// The summary in the description.
    static var summary: String? { "Gets an order" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:read"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Changes an order's delivery time and note.
class ChangeOrder: Action<ChangeOrder.Input, Order>, PATCH, Scoped {
    /// The change; nil leaves a member unchanged.
    struct Input: Codable, Sendable, Constrained {
        /// The order's number.
        var id: UUID
        /// The new delivery time.
        var deliverAt: Date?
        /// The new note.
        var note: String?

        /// A change of an order.
        init(id: UUID, deliverAt: Date? = nil, note: String? = nil) {
            self.id = id
            self.deliverAt = deliverAt
            self.note = note
        }

        /// The limits of a change.
        static var constraints: Constraints {
            ["note": [.minLength(1), .maxLength(500)]]
        }
    }

    /// Served at `PATCH /orders/{id}`.
    static var path: String { "/orders/{id}" }
    /// The summary in the description.
    static var summary: String? { "Changes an order" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:write"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self]
    }
}

/// Cancels an order that isn't paid.
class CancelOrder: Action<OrderID, Void>, DELETE, Scoped {
    /// Served at `DELETE /orders/{id}`.
    static var path: String { "/orders/{id}" }
    /// The summary in the description.
    static var summary: String? { "Cancels an order" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:write"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self]
    }
}
