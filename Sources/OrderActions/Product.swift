public import Plug
public import PlugHTTP

/// What is sold.
public struct Product: Codable, Sendable, Equatable {
    /// The number that it is ordered by, such as `TEA-250`.
    public var sku: String
    /// What it is called.
    public var name: String
    /// The price of one, in cents.
    public var price: Int
    /// How many there are.
    public var stock: Int
    /// Words that it is found by.
    public var tags: [String]

    /// A product.
    public init(sku: String, name: String, price: Int, stock: Int, tags: [String] = []) {
        self.sku = sku
        self.name = name
        self.price = price
        self.stock = stock
        self.tags = tags
    }
}

extension Product: Constrained {
    /// What a product keeps.
    public static var constraints: Constraints {
        [
            "sku": [.pattern(Product.skuPattern), .example("TEA-250")],
            "name": [.minLength(1), .maxLength(100), .example("Darjeeling, 250 g")],
            "price": [.minimum(1), .maximum(1_000_000), .description("in cents")],
            "stock": [.minimum(0), .maximum(JSON.Number(greatestStock))],
            "tags": [.maxItems(10), .uniqueItems, .items(.pattern("^[a-z]{1,20}$"))],
        ]
    }

    /// How many of a product the stock holds.
    static let greatestStock = 1_000_000

    static let skuPattern = "^[A-Z]{2,8}-[0-9]{1,6}$"
}

/// Lists products by their number.
open class ListProducts: Action<ListProducts.Query, [Product]>, GET {
    /// Which products.
    public struct Query: Codable, Sendable {
        /// Only those that have all of these tags.
        public var tag: [String]?
        /// Only those that there are some of.
        public var inStock: Bool
        /// At most so many.
        public var limit: Int

        /// These products.
        public init(tag: [String]? = nil, inStock: Bool = false, limit: Int = 20) {
            self.tag = tag
            self.inStock = inStock
            self.limit = limit
        }
    }

    /// Served at `GET /products`.
    public static var path: String { "/products" }
    /// What it does.
    public static var summary: String? { "Lists products" }
}

extension ListProducts.Query: Constrained {
    /// What a query keeps.
    public static var constraints: Constraints {
        [
            "tag": [.maxItems(10), .items(.pattern("^[a-z]{1,20}$"))],
            "inStock": [.default(false)],
            "limit": [.default(20), .minimum(1), .maximum(100)],
        ]
    }
}

/// Gets one product.
open class GetProduct: Action<GetProduct.Input, Product>, GET, Tagged {
    /// Which product.
    public struct Input: Codable, Sendable, Constrained {
        /// The product's number.
        public var sku: String

        /// The product of that number.
        public init(sku: String) { self.sku = sku }

        /// What a product's number keeps.
        public static var constraints: Constraints { ["sku": [.pattern(Product.skuPattern)]] }
    }

    /// Served at `GET /products/{sku}`.
    public static var path: String { "/products/{sku}" }
    /// What it does.
    public static var summary: String? { "Gets a product" }
    /// What may be wrong.
    public static var problems: [any DeclaredProblem.Type] { [UnknownProduct.self] }
}

/// Sets a product as a whole.
open class PutProduct: Action<Product, PutProduct.Output>, PUT, Scoped {
    /// A product that was set: as JSON the product alone.
    public struct Output: Codable, Sendable, Equatable {
        /// The product.
        public var product: Product
        /// Whether there was none of its number; the status tells that.
        public var isNew: Bool

        /// That product.
        public init(_ product: Product, isNew: Bool) {
            self.product = product
            self.isNew = isNew
        }

        /// The product of a document, which doesn't tell whether it is new.
        public init(from decoder: any Decoder) throws {
            self.init(try Product(from: decoder), isNew: false)
        }

        /// Encodes the product.
        public func encode(to encoder: any Encoder) throws { try product.encode(to: encoder) }
    }

    /// Served at `PUT /products/{sku}`.
    public static var path: String { "/products/{sku}" }
    /// What it does.
    public static var summary: String? { "Sets a product, or adds it" }
    /// For who keeps the shop.
    public static var scopes: Scopes { ["products:write"] }

    /// The address of one that wasn't there (RFC 9110 §9.3.4).
    public static func location(of output: Output) -> String? {
        output.isNew ? "/products/\(output.product.sku)" : nil
    }
}

/// Sets many products, each a line of JSON in a body of any size.
open class ImportProducts: Action<RequestBody, ImportProducts.Output>, POST, Scoped {
    /// What became of it.
    public struct Output: Codable, Sendable, Equatable {
        /// How many were set: all lines, or none.
        public var products: Int

        /// So many.
        public init(products: Int) { self.products = products }
    }

    /// Served at `POST /products/import`.
    public static var path: String { "/products/import" }
    /// What it does.
    public static var summary: String? { "Sets products, one a line" }
    /// What its body looks like.
    public static var description: String? {
        "Each line of the body is a product in JSON. All of them are set, or none."
    }
    /// For who keeps the shop.
    public static var scopes: Scopes { ["products:write"] }
}

/// Finds products by a word in their name.
open class FindProducts: Action<FindProducts.Query, [Product]>, GET, Deprecated {
    /// What to look for.
    public struct Query: Codable, Sendable, Constrained {
        /// The word.
        public var text: String

        /// What has that word in its name.
        public init(text: String) { self.text = text }

        /// What a word keeps.
        public static var constraints: Constraints {
            ["text": [.minLength(1), .maxLength(50)]]
        }
    }

    /// Served at `GET /search`.
    public static var path: String { "/search" }
    /// What it does.
    public static var summary: String? { "Finds products by their name" }
    /// Tags have taken its place.
    public static var deprecation: Deprecation {
        Deprecation(since: "2026-11-01", sunset: "2027-11-01")
    }
}
