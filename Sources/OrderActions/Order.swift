public import HTTPTypes
public import Plug
public import PlugHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What somebody has ordered.
public struct Order: Codable, Sendable, Equatable {
    /// How far it has come.
    public enum State: String, Codable, Sendable, CaseIterable {
        case placed, paid, cancelled
    }

    /// So many of a product.
    public struct Line: Codable, Sendable, Equatable {
        /// The product's number.
        public var sku: String
        /// How many.
        public var count: Int

        /// So many of a product.
        public init(sku: String, count: Int) {
            self.sku = sku
            self.count = count
        }
    }

    /// The order's number.
    public var id: UUID
    /// What was ordered.
    public var lines: [Line]
    /// The price of all, in cents.
    public var total: Int
    /// How far it has come.
    public var state: State
    /// Where it was ordered.
    public var channel: PlaceOrder.Channel
    /// When to deliver it.
    public var deliverAt: Date?
    /// What else to know.
    public var note: String?
}

extension Order.Line: Constrained {
    /// What a line keeps.
    public static var constraints: Constraints {
        [
            "sku": [.pattern(Product.skuPattern), .example("TEA-250")],
            "count": [.minimum(1), .maximum(99)],
        ]
    }
}

/// Names an order.
public struct OrderID: Codable, Sendable {
    /// The order's number.
    public var id: UUID

    /// The order of that number.
    public init(id: UUID) { self.id = id }
}

/// Orders something, once for each `Idempotency-Key`.
open class PlaceOrder: Action<PlaceOrder.Input, Order>, POST, Scoped, OncePerKey {
    /// Where people order.
    public enum Channel: String, Codable, Sendable, CaseIterable {
        case app, web, shop
    }

    /// What to order.
    public struct Input: Codable, Sendable {
        /// So many of each product, each product once.
        public var lines: [Order.Line]
        /// When to deliver it.
        public var deliverAt: Date?
        /// What else to know.
        public var note: String?
        /// Where it is ordered: the field `Order-Channel`.
        public var channel: Channel?

        /// An order of these lines.
        public init(
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
    public static var path: String { "/orders" }
    /// What travels in fields.
    public static var fields: [String: HTTPField.Name] {
        HTTPField.Name("Order-Channel").map { ["channel": $0] } ?? [:]
    }
    /// What it does.
    public static var summary: String? { "Places an order" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:write"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] {
        [UnknownProduct.self, SoldOut.self]
    }
    /// The new order's address.
    public static func location(of order: Order) -> String? { "/orders/\(order.id.uuidString)" }
}

extension PlaceOrder.Input: Constrained {
    /// What an order keeps.
    public static var constraints: Constraints {
        ["lines": [.minItems(1), .maxItems(50)], "note": [.minLength(1), .maxLength(500)]]
    }
}

/// Lists one's own orders, the newest first.
open class ListOrders: Action<ListOrders.Query, [Order]>, GET, Scoped {
    /// Which orders.
    public struct Query: Codable, Sendable, Constrained {
        /// Only those that have come so far.
        public var state: Order.State?
        /// At most so many.
        public var limit: Int

        /// These orders.
        public init(state: Order.State? = nil, limit: Int = 20) {
            self.state = state
            self.limit = limit
        }

        /// What a query keeps.
        public static var constraints: Constraints {
            ["limit": [.default(20), .minimum(1), .maximum(100)]]
        }
    }

    /// Served at `GET /orders`.
    public static var path: String { "/orders" }
    /// What it does.
    public static var summary: String? { "Lists one's own orders" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:read"] }
}

/// Gets one of one's own orders.
open class GetOrder: Action<OrderID, Order>, GET, Scoped, Tagged {
    /// Served at `GET /orders/{id}`.
    public static var path: String { "/orders/{id}" }
    /// What it does.
    public static var summary: String? { "Gets an order" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:read"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Changes when an order is delivered, and what else to know.
open class ChangeOrder: Action<ChangeOrder.Input, Order>, PATCH, Scoped {
    /// What to change; what is missing stays.
    public struct Input: Codable, Sendable, Constrained {
        /// Which order.
        public var id: UUID
        /// When to deliver it.
        public var deliverAt: Date?
        /// What else to know.
        public var note: String?

        /// A change of that order.
        public init(id: UUID, deliverAt: Date? = nil, note: String? = nil) {
            self.id = id
            self.deliverAt = deliverAt
            self.note = note
        }

        /// What a change keeps.
        public static var constraints: Constraints {
            ["note": [.minLength(1), .maxLength(500)]]
        }
    }

    /// Served at `PATCH /orders/{id}`.
    public static var path: String { "/orders/{id}" }
    /// What it does.
    public static var summary: String? { "Changes an order" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:write"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self]
    }
}

/// Cancels an order that isn't paid.
open class CancelOrder: Action<OrderID, Void>, DELETE, Scoped {
    /// Served at `DELETE /orders/{id}`.
    public static var path: String { "/orders/{id}" }
    /// What it does.
    public static var summary: String? { "Cancels an order" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:write"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self]
    }
}
