public import HTTPTypes
public import PlugHTTP

/// There is no product of that number.
public struct UnknownProduct: DeclaredProblem {
    /// 404.
    public static let status = HTTPResponse.Status.notFound
    /// Names the kind of problem.
    public static let type = "urn:plugboard:orders:unknown-product"
    /// In a few words.
    public static let title = "Unknown product"
    /// Which one.
    public let detail: String?

    init(_ sku: String) { detail = "there is no product \(sku)" }
}

/// There aren't as many as were asked for.
public struct SoldOut: DeclaredProblem {
    /// 409.
    public static let status = HTTPResponse.Status.conflict
    /// Names the kind of problem.
    public static let type = "urn:plugboard:orders:sold-out"
    /// In a few words.
    public static let title = "Sold out"
    /// How many there are.
    public let detail: String?

    init(_ product: Product) { detail = "of \(product.sku) there are \(product.stock)" }
}

/// There is no such order, or it is somebody else's.
public struct UnknownOrder: DeclaredProblem {
    /// 404.
    public static let status = HTTPResponse.Status.notFound
    /// Names the kind of problem.
    public static let type = "urn:plugboard:orders:unknown-order"
    /// In a few words.
    public static let title = "Unknown order"
}

/// The order is paid or cancelled.
public struct OrderClosed: DeclaredProblem {
    /// 409.
    public static let status = HTTPResponse.Status.conflict
    /// Names the kind of problem.
    public static let type = "urn:plugboard:orders:closed"
    /// In a few words.
    public static let title = "The order is closed"
    /// What it is.
    public let detail: String?

    init(_ state: Order.State) { detail = "the order is \(state.rawValue)" }
}

/// The card is not taken.
public struct PaymentRefused: DeclaredProblem {
    /// 402.
    public static let status = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
    /// Names the kind of problem.
    public static let type = "urn:plugboard:orders:payment-refused"
    /// In a few words.
    public static let title = "The payment was refused"
}
