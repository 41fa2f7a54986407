import Plugboard
import Storage

/// The implementations of the sample's actions.
enum OrderPlugs {
    /// Plugs all actions to the orders of a data folder.
    ///
    /// - Throws: ``StorageError`` if the folder can't be used.
    static func plug(_ storage: Storage) throws(StorageError) {
        let orders = OrderDatabase(storage)
        try orders.check()
        plugProducts(orders)
        plugOrders(orders)
    }

    private static func plugProducts(_ orders: OrderDatabase) {
        ListProducts.self <~ { query in
            let products = try await orders.products().filter { product in
                Set(query.tag ?? []).isSubset(of: product.tags)
                    && (!query.inStock || product.stock > 0)
            }
            return Array(products.prefix(query.limit))
        }
        GetProduct.self <~ { input in try await orders.product(input.sku) }
        PutProduct.self <~ { product in
            let new = try await orders.set([product])
            return PutProduct.Output(product, isNew: !new.isEmpty)
        }
        ImportProducts.self <~ { body in
            let products = try await ProductLines.read(body)
            try await orders.set(products)
            return ImportProducts.Output(products: products.count)
        }
        FindProducts.self <~ { query in
            let text = query.text.lowercased()
            return try await orders.products().filter { $0.name.lowercased().contains(text) }
        }
        QuotePrice.named("list") <~ { input in
            let product = try await orders.product(input.sku)
            return QuotePrice.Quote(total: try product.price(of: input.count))
        }
        QuotePrice.named("bulk") <~ { input in
            let product = try await orders.product(input.sku)
            let total = try product.price(of: input.count)
            return QuotePrice.Quote(total: input.count < 10 ? total : total - total / 10)
        }
        QuotePrice.self <~ .plug("list")
    }

    private static func plugOrders(_ orders: OrderDatabase) {
        PlaceOrder.self <~ { input in try await orders.place(input, for: customer) }
        ListOrders.self <~ { query in try await orders.orders(query, of: customer) }
        GetOrder.self <~ { input in try await orders.order(input.id, of: customer) }
        ChangeOrder.self <~ { input in
            try await orders.update(input.id, of: customer) { order in
                order.deliverAt = input.deliverAt ?? order.deliverAt
                order.note = input.note ?? order.note
            }
        }
        PayOrder.self <~ { input in
            try await orders.update(input.id, of: customer) { order in
                guard Card.isValid(input.card) else { throw PaymentRefused() }
                order.state = .paid
            }
        }
        CancelOrder.self <~ { input in
            _ = try await orders.update(input.id, of: customer) { $0.state = .cancelled }
        }
        GetInvoice.self <~ { input in
            let order = try await orders.order(input.id, of: customer)
            var lines = "sku,count\r\n"
            for line in order.lines { lines += "\(line.sku),\(line.count)\r\n" }
            lines += "total,\(order.total)\r\n"
            return ResponseBody(bytes: Array(lines.utf8), mediaType: "text/csv")
        }
        WatchOrder.self <~ { input in try await orders.events(input.id, of: customer) }
    }

    /// The caller's ID; an order belongs to the caller that placed it.
    private static var customer: String { Caller.current?.id ?? "" }
}

/// The number of a card.
private enum Card {
    /// Checks the check digit (Luhn, ISO/IEC 7812-1).
    static func isValid(_ number: String) -> Bool {
        let digits = number.utf8.reversed().map { Int($0) - 0x30 }
        let sum = digits.enumerated().reduce(0) { sum, digit in
            let value = digit.offset % 2 == 0 ? digit.element : digit.element * 2
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum % 10 == 0
    }
}
