import PlugboardCommand
import Storage

/// The command `orders`.
@main
struct OrderServer: ConfiguredServerCommand {
    static let commandName = "orders"
    static let abstract = "A server of a small shop's products and orders."
    static let examples = ["/products"]

    func server(_ configuration: Server.Configuration) throws -> Server {
        try OrderPlugs.plug(Storage.of(configuration.dataFolder ?? "data"))
        return Server(
            behaviors: .file("\(configuration.publicFolder ?? "public")/behaviors.json"),
            configuration: configuration
        ) {
            ListProducts.self
            GetProduct.self
            PutProduct.self
            ImportProducts.self
            FindProducts.self
            QuotePrice.self
            PlaceOrder.self
            ListOrders.self
            GetOrder.self
            ChangeOrder.self
            PayOrder.self
            CancelOrder.self
            GetInvoice.self
            WatchOrder.self
        }
    }
}
