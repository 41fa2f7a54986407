import Foundation
import GeneratedOrders
import PlugboardClient

func callOrders(_ client: Client) async throws {
    let product = try await client.send(
        PutProduct.self,
        .init(sku: "TEA-250", name: "Darjeeling", price: 1250, stock: 3, tags: ["tea", "black"])
    )
    try show("orders.put", product)
    let lines = #"{"sku":"CUP-1","name":"Cup","price":900,"stock":1,"tags":[]}"#
    try show(
        "orders.import",
        try await client.send(
            ImportProducts.self,
            RequestBody(bytes: lines.utf8, mediaType: "application/jsonl")
        )
    )
    let found = try await client.send(
        ListProducts.self,
        .init(tag: ["tea", "black"], inStock: true)
    )
    try show("orders.list", found.map(\.sku))
    try show("orders.get", try await client.send(GetProduct.self, .init(sku: "TEA-250")).stock)
    try show(
        "orders.quote",
        try await client.send(QuotePrice.self, .init(sku: "TEA-250", count: 2))
    )
    let order = try await client.send(
        PlaceOrder.self,
        .init(channel: .app, lines: [.init(sku: "TEA-250", count: 2)], note: "Ring twice")
    )
    try show("orders.place", order.total)
    try show("orders.channel", order.channel)
    try show("orders.same", try await client.send(GetOrder.self, .init(id: order.id)) == order)
    let at = Date(timeIntervalSince1970: 1_900_000_000)
    let changed = try await client.send(
        ChangeOrder.self,
        .init(id: order.id, deliverAt: .set(at), note: .set("Ring once"))
    )
    try show("orders.change", [changed.deliverAt == at, changed.note == "Ring once"])
    try show("orders.mine", try await client.send(ListOrders.self, .init(state: .placed)).count)
    do {
        let lines = [OrderLineInput(sku: "TEA-250", count: 99)]
        _ = try await client.send(PlaceOrder.self, .init(lines: lines))
    } catch let error as SoldOut {
        try show("orders.soldOut", [error.sku, "\(error.stock)"])
    }
    let paid = try await client.send(
        PayOrder.self,
        .init(id: order.id, card: "4242424242424242")
    )
    try show("orders.pay", paid.state)
    var invoice: [UInt8] = []
    for try await piece in try await client.send(GetInvoice.self, .init(id: order.id)) {
        invoice += piece
    }
    try show("orders.invoice", String(decoding: invoice, as: UTF8.self).contains("TEA-250"))
    for try await event in try await client.send(WatchOrder.self, .init(id: order.id)) {
        try show("orders.watch", event.state)
        break
    }
    let other = try await client.send(
        PlaceOrder.self,
        .init(lines: [.init(sku: "TEA-250", count: 1)])
    )
    try await client.send(CancelOrder.self, .init(id: other.id))
    try show("orders.cancel", try await client.send(GetOrder.self, .init(id: other.id)).state)
}
