public import Plug
public import PlugHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Pays an order, once for each `Idempotency-Key`.
open class PayOrder: Action<PayOrder.Input, Order>, POST, Scoped, OncePerKey {
    /// How to pay.
    public struct Input: Codable, Sendable, Constrained {
        /// Which order.
        public var id: UUID
        /// The card's number.
        public var card: String

        /// Pays that order with that card.
        public init(id: UUID, card: String) {
            self.id = id
            self.card = card
        }

        /// What a payment keeps.
        public static var constraints: Constraints {
            ["card": [.pattern("^[0-9]{12,19}$"), .example("4242424242424242")]]
        }
    }

    /// Served at `POST /orders/{id}/payment`.
    public static var path: String { "/orders/{id}/payment" }
    /// What it does.
    public static var summary: String? { "Pays an order" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:write"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self, PaymentRefused.self]
    }
}

/// Gets what was ordered as lines of CSV.
open class GetInvoice: Action<OrderID, ResponseBody>, GET, Scoped {
    /// Served at `GET /orders/{id}/invoice`.
    public static var path: String { "/orders/{id}/invoice" }
    /// What it answers.
    public static var mediaType: String? { "text/csv" }
    /// What it does.
    public static var summary: String? { "Gets an invoice as CSV" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:read"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Tells how an order comes along, from its beginning until it is closed.
open class WatchOrder: Action<OrderID, AsyncThrowingStream<WatchOrder.Event, any Error>>, GET,
    Scoped
{
    /// Something that happened to an order.
    public struct Event: Codable, Sendable, Equatable {
        /// What the order is from then on.
        public var state: Order.State
        /// When.
        public var at: Date

        /// The order has come so far.
        public init(state: Order.State, at: Date) {
            self.state = state
            self.at = at
        }
    }

    /// Served at `GET /orders/{id}/events`.
    public static var path: String { "/orders/{id}/events" }
    /// What it does.
    public static var summary: String? { "Tells how an order comes along" }
    /// For who orders.
    public static var scopes: Scopes { ["orders:read"] }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Says what something would cost.
///
/// Two implementations are plugged to it under names, `list` and `bulk`: which one counts, for whom,
/// is the live plan's to say.
open class QuotePrice: Action<QuotePrice.Input, QuotePrice.Quote>, GET, RateLimited {
    /// What to buy.
    public struct Input: Codable, Sendable, Constrained {
        /// The product's number.
        public var sku: String
        /// How many.
        public var count: Int

        /// So many of a product.
        public init(sku: String, count: Int = 1) {
            self.sku = sku
            self.count = count
        }

        /// What a question keeps.
        public static var constraints: Constraints {
            [
                "sku": [.pattern(Product.skuPattern)],
                "count": [.default(1), .minimum(1), .maximum(99)],
            ]
        }
    }

    /// What it costs.
    public struct Quote: Codable, Sendable, Equatable {
        /// The price of all, in cents.
        public var total: Int

        /// That price.
        public init(total: Int) { self.total = total }
    }

    /// Served at `GET /products/{sku}/quote`.
    public static var path: String { "/products/{sku}/quote" }
    /// What it does.
    public static var summary: String? { "Says what something would cost" }
    /// As often as a person asks.
    public static var rateLimit: RateLimit { .perMinute(120) }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] { [UnknownProduct.self] }
}
