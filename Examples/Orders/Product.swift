import PlugHTTP

/// A product of the shop.
struct Product: Codable, Sendable, Equatable {
    /// The product's number, such as `TEA-250`.
    var sku: String
    /// The product's name.
    var name: String
    /// The price of one piece, in cents.
    var price: Int
    /// The number of pieces in stock.
    var stock: Int
    /// The tags for searches.
    var tags: [String]

    /// A product.
    init(sku: String, name: String, price: Int, stock: Int, tags: [String] = []) {
        self.sku = sku
        self.name = name
        self.price = price
        self.stock = stock
        self.tags = tags
    }
}

extension Product: Constrained {
    /// The limits of a product.
    static var constraints: Constraints {
        [
            "sku": [.pattern(Product.skuPattern), .example("TEA-250")],
            "name": [.minLength(1), .maxLength(100), .example("Darjeeling, 250 g")],
            "price": [.minimum(1), .maximum(1_000_000), .description("in cents")],
            "stock": [.minimum(0), .maximum(JSON.Number(maximumStock))],
            "tags": [.maxItems(10), .uniqueItems, .items(.pattern("^[a-z]{1,20}$"))],
        ]
    }

    /// The greatest stock of a product.
    static let maximumStock = 1_000_000

    static let skuPattern = "^[A-Z]{2,8}-[0-9]{1,6}$"
}

/// Lists products, ordered by number.
class ListProducts: Action<ListProducts.Query, [Product]>, GET {
    /// The products to list.
    struct Query: Codable, Sendable {
        /// The tags that each product must have.
        var tag: [String]?
        /// Whether to list only products in stock.
        var inStock: Bool
        /// The greatest number of products.
        var limit: Int

        /// A query for at most `limit` products.
        init(tag: [String]? = nil, inStock: Bool = false, limit: Int = 20) {
            self.tag = tag
            self.inStock = inStock
            self.limit = limit
        }
    }

    /// Served at `GET /products`.
    static var path: String { "/products" }
    /// The summary in the description.
    static var summary: String? { "Lists products" }
}

extension ListProducts.Query: Constrained {
    /// The limits of a query.
    static var constraints: Constraints {
        [
            "tag": [.maxItems(10), .items(.pattern("^[a-z]{1,20}$"))],
            "inStock": [.default(false)],
            "limit": [.default(20), .minimum(1), .maximum(100)],
        ]
    }
}

/// Gets one product.
class GetProduct: Action<GetProduct.Input, Product>, GET, HasEntityTag {
    /// The product to get.
    struct Input: Codable, Sendable, Constrained {
        /// The product's number.
        var sku: String

        /// The product with this number.
        init(sku: String) { self.sku = sku }

        /// The limits of a product's number.
        static var constraints: Constraints { ["sku": [.pattern(Product.skuPattern)]] }
    }

    /// Served at `GET /products/{sku}`.
    static var path: String { "/products/{sku}" }
    /// The summary in the description.
    static var summary: String? { "Gets a product" }
    /// The declared problems.
    static var problems: [any DeclaredProblem.Type] { [UnknownProduct.self] }
}

/// Creates or replaces a product.
class PutProduct: Action<Product, PutProduct.Output>, PUT, Scoped {
    /// A product that was set, encoded as the product alone.
    struct Output: Codable, Sendable, Equatable {
        /// The product.
        var product: Product
        /// Whether the product was created: 201 or 200.
        var isNew: Bool

        /// The output for a product.
        init(_ product: Product, isNew: Bool) {
            self.product = product
            self.isNew = isNew
        }

        /// Decodes the product; `isNew` is false, since the JSON lacks it.
        init(from decoder: any Decoder) throws {
            self.init(try Product(from: decoder), isNew: false)
        }

        /// Encodes the product.
        func encode(to encoder: any Encoder) throws { try product.encode(to: encoder) }
    }

    /// Served at `PUT /products/{sku}`.
    static var path: String { "/products/{sku}" }
    /// The summary in the description.
    static var summary: String? { "Creates or replaces a product" }
    /// The scope of the shop's staff.
    static var scopes: Scopes { ["products:write"] }

    /// The path of a new product (RFC 9110 §9.3.4).
    static func location(of output: Output) -> String? {
        output.isNew ? "/products/\(output.product.sku)" : nil
    }
}

/// Sets many products, each a line of JSON.
class ImportProducts: Action<RequestBody, ImportProducts.Output>, POST, Scoped {
    /// The result of an import.
    struct Output: Codable, Sendable, Equatable {
        /// The number of products that were set.
        var products: Int

        /// The result for a number of products.
        init(products: Int) { self.products = products }
    }

    /// Served at `POST /products/import`.
    static var path: String { "/products/import" }
    /// The summary in the description.
    static var summary: String? { "Sets products, one a line" }
    /// The format of the body.
    static var description: String? {
        "Each line of the body is a product in JSON. All of them are set, or none."
    }
    /// The scope of the shop's staff.
    static var scopes: Scopes { ["products:write"] }
}

/// Finds products by a word in their name.
class FindProducts: Action<FindProducts.Query, [Product]>, GET, Deprecated {
    /// The search.
    struct Query: Codable, Sendable, Constrained {
        /// The word to find, in any case.
        var text: String

        /// A search for a word.
        init(text: String) { self.text = text }

        /// The limits of a word.
        static var constraints: Constraints {
            ["text": [.minLength(1), .maxLength(50)]]
        }
    }

    /// Served at `GET /search`.
    static var path: String { "/search" }
    /// The summary in the description.
    static var summary: String? { "Finds products by their name" }
    /// The dates of the deprecation; tags replace the search.
    static var deprecation: Deprecation {
        Deprecation(since: "2026-11-01", sunset: "2027-11-01")
    }
}
