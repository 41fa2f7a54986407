import PlugHTTP

/// No product has this number.
struct UnknownProduct: DeclaredProblem {
    /// 404.
    static let status = HTTPResponse.Status.notFound
    /// The type of the problem.
    static let type = "urn:plugboard:orders:unknown-product"
    /// The title of the problem.
    static let title = "Unknown product"
    /// The product's number.
    let detail: String?

    init(_ sku: String) { detail = "there is no product \(sku)" }
}

/// The stock is smaller than the order.
struct SoldOut: DeclaredProblem {
    /// 409.
    static let status = HTTPResponse.Status.conflict
    /// The type of the problem.
    static let type = "urn:plugboard:orders:sold-out"
    /// The title of the problem.
    static let title = "Sold out"
    /// The product's number.
    let sku: String
    /// The current stock.
    let stock: Int

    var detail: String? { "the stock of \(sku) is \(stock)" }

    init(_ product: Product) { (sku, stock) = (product.sku, product.stock) }
}

/// The order doesn't exist, or it belongs to another caller.
struct UnknownOrder: DeclaredProblem {
    /// 404.
    static let status = HTTPResponse.Status.notFound
    /// The type of the problem.
    static let type = "urn:plugboard:orders:unknown-order"
    /// The title of the problem.
    static let title = "Unknown order"
}

/// The order is paid or cancelled.
struct OrderClosed: DeclaredProblem {
    /// 409.
    static let status = HTTPResponse.Status.conflict
    /// The type of the problem.
    static let type = "urn:plugboard:orders:closed"
    /// The title of the problem.
    static let title = "The order is closed"
    /// The order's state.
    let detail: String?

    init(_ state: Order.State) { detail = "the order is \(state.rawValue)" }
}

/// The card was rejected.
struct PaymentRefused: DeclaredProblem {
    /// 402.
    static let status = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
    /// The type of the problem.
    static let type = "urn:plugboard:orders:payment-refused"
    /// The title of the problem.
    static let title = "The payment was refused"
}
