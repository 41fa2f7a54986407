import Foundation
import PlugboardClient

/// Prints a value as one line: a label and JSON.
func show(_ label: String, _ value: some Encodable) throws {
    print(label, try JSON(encoding: value))
    fflush(nil)
}

/// Calls each API at its URL; the arguments are the URLs in order, and a token for the orders.
@main
struct Main {
    static func main() async throws {
        let urls = CommandLine.arguments
        let modelled = urls[4]
        try await callPhotos(Client(urls[1]))
        try await callOrders(Client(urls[2], token: urls[5]))
        try await callTodo(Client(urls[3]))
        try await callCodeHost(Client(modelled + "/api", token: "secret"))
        try await callPayments(Client(modelled, token: "sk_test"))
        try await callPets(Client(modelled + "/api/v3"))
        try await callChat(Client(modelled + "/v1", token: "sk-chat"))
        try await callStorage(Client(modelled + "/storage"))
    }
}
