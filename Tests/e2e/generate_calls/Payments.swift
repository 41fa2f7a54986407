import GeneratedPayments
import PlugboardClient

func callPayments(_ client: Client) async throws {
    let charges = try await client.send(
        GetCharges.self,
        .init(amount: .init(gte: 100), customer: "cus_1", expand: ["data.customer", "data.rule"])
    )
    try show("pay.list", charges)
    for charge in charges.data {
        switch charge.customer {
        case .string(let id)?: try show("pay.id", id)
        case .customer(let customer)?: try show("pay.customer", customer.email)
        case .deletedCustomer(let customer)?: try show("pay.deleted", customer.deleted)
        case .unrecognized(let value)?: try show("pay.unrecognized", value)
        case nil: try show("pay.none", charge.status)
        }
    }
    let charge = try await client.send(
        PostCharges.self,
        .init(
            idempotencyKey: "k1",
            body: .init(
                amount: 500,
                currency: "eur",
                capture: false,
                expand: ["customer"],
                metadata: ["order": "7 & 8"],
                shipping: .init(name: "Ada")
            )
        )
    )
    try show("pay.charge", charge.id)
    do {
        _ = try await client.send(PostCharges.self, .init(body: .init(amount: 1, currency: "eur")))
    } catch let problem as Problem {
        let error = try problem.body?.decode(ErrorModel.self).error
        try show("pay.declined", [error?.type.rawValue, error?.code])
    }
    try show(
        "pay.update",
        try await client.send(
            PostCustomersCustomer.self,
            .init(customer: "cus_1", body: .init(name: "Ada"))
        ).id
    )
    try show(
        "pay.touch",
        try await client.send(PostCustomersCustomer.self, .init(customer: "cus_1")).id
    )
    if case .deletedCustomer(let gone) = try await client.send(
        GetCustomersCustomer.self,
        .init(customer: "cus_9")
    ) {
        try show("pay.gone", gone)
    }
    try show(
        "pay.delete",
        try await client.send(DeleteCustomersCustomer.self, .init(customer: "cus_1"))
    )
}
