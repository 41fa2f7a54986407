import PlugHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Pays an order, once for each `Idempotency-Key`.
class PayOrder: Action<PayOrder.Input, Order>, POST, Scoped, RequiresIdempotencyKey {
    /// The payment.
    struct Input: Codable, Sendable, Constrained {
        /// The order's number.
        var id: UUID
        /// The card's number.
        var card: String

        /// A payment of an order by card.
        init(id: UUID, card: String) {
            self.id = id
            self.card = card
        }

        /// The limits of a payment.
        static var constraints: Constraints {
            ["card": [.pattern("^[0-9]{12,19}$"), .example("4242424242424242")]]
        }
    }

    /// Served at `POST /orders/{id}/payment`.
    static var path: String { "/orders/{id}/payment" }
    /// The summary in the description.
    static var summary: String? { "Pays an order" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:write"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] {
        [UnknownOrder.self, OrderClosed.self, PaymentRefused.self]
    }
}

/// Gets the lines of an order as CSV.
class GetInvoice: Action<OrderID, ResponseBody>, GET, Scoped {
    /// Served at `GET /orders/{id}/invoice`.
    static var path: String { "/orders/{id}/invoice" }
    /// The response's media type.
    static var mediaType: String? { "text/csv" }
    /// The summary in the description.
    static var summary: String? { "Gets an invoice as CSV" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:read"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Streams an order's events, from its beginning until it is closed.
class WatchOrder: Action<OrderID, AsyncThrowingStream<WatchOrder.Event, any Error>>, GET,
    Scoped
{
    /// A change of an order's state.
    struct Event: Codable, Sendable, Equatable {
        /// The order's new state.
        var state: Order.State
        /// The time of the change.
        var at: Date

        /// A change to a state at a time.
        init(state: Order.State, at: Date) {
            self.state = state
            self.at = at
        }
    }

    /// Served at `GET /orders/{id}/events`.
    static var path: String { "/orders/{id}/events" }
    /// The summary in the description.
    static var summary: String? { "Streams an order's events" }
    /// The scope of customers.
    static var scopes: Scopes { ["orders:read"] }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] { [UnknownOrder.self] }
}

/// Quotes the price of a product.
///
/// It has two named implementations, `list` and `bulk`. The live plan chooses one for each call.
class QuotePrice: Action<QuotePrice.Input, QuotePrice.Quote>, GET, RateLimited {
    /// The product and the number of pieces.
    struct Input: Codable, Sendable, Constrained {
        /// The product's number.
        var sku: String
        /// The number of pieces.
        var count: Int

        /// A number of pieces of a product.
        init(sku: String, count: Int = 1) {
            self.sku = sku
            self.count = count
        }

        /// The limits of an input.
        static var constraints: Constraints {
            [
                "sku": [.pattern(Product.skuPattern)],
                "count": [.default(1), .minimum(1), .maximum(99)],
            ]
        }
    }

    /// A quoted price.
    struct Quote: Codable, Sendable, Equatable {
        /// The total price, in cents.
        var total: Int

        /// A quote of a total price.
        init(total: Int) { self.total = total }
    }

    /// Served at `GET /products/{sku}/quote`.
    static var path: String { "/products/{sku}/quote" }
    /// The summary in the description.
    static var summary: String? { "Quotes the price of a product" }
    /// A limit for people: 120 a minute.
    static var rateLimit: RateLimit { .perMinute(120) }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] { [UnknownProduct.self] }
}
