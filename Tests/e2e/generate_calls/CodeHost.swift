import GeneratedCodehost
import PlugboardClient

func callCodeHost(_ client: Client) async throws {
    let page = try await client.response(
        of: ReposListForUser.self,
        .init(username: "ada", sort: .created, perPage: 2)
    )
    try show("code.list", page.output)
    try show("code.link", page.fields.first { $0.name.canonicalName == "link" }?.value)
    try show("code.template", page.output[0].templateRepository?.value.name)
    do {
        _ = try await client.send(ReposGet.self, .init(owner: "ada", repo: "a/b"))
    } catch let problem as Problem {
        try show("code.missing", try problem.body?.decode(BasicError.self).message)
    }
    let updated = try await client.send(
        ReposUpdate.self,
        .init(owner: "ada", repo: "plug", description: .clear, private: true)
    )
    try show("code.update", updated.description)
    try await client.send(Star.self, .init(owner: "ada", repo: "plug"))
    let issue = try await client.send(
        IssuesCreate.self,
        .init(
            owner: "ada",
            repo: "plug",
            title: .string("It fails"),
            body: "…",
            labels: [.string("bug"), .label(.init(name: "urgent", color: nil))]
        )
    )
    try show("code.issue", [issue.reactions?.plus1, issue.reactions?.minus1])
    try show("code.state", [issue.state.rawValue, issue.stateReason?.rawValue ?? "none"])
    try show("code.user", issue.user == nil)
    try show("code.round", issue)
    do {
        _ = try await client.send(
            IssuesCreate.self,
            .init(owner: "ada", repo: "plug", title: .integer(7))
        )
    } catch let problem as Problem {
        let error = try problem.body?.decode(ValidationError.self)
        try show("code.invalid", error?.errors)
    }
    let labels = try await client.send(
        IssuesSetLabels.self,
        .init(owner: "ada", repo: "plug", number: 1, body: ["bug", "ui"])
    )
    try show("code.labels", labels.map(\.name))
    let events = try await client.send(
        IssuesListEvents.self,
        .init(owner: "ada", repo: "plug", number: 1, xHostVersion: "2026-01-01")
    )
    for event in events {
        switch event {
        case .labeledEvent(let event): try show("code.labeled", event.label.name)
        case .renamedEvent(let event):
            try show("code.renamed", [event.rename.from, event.rename.to])
        case .unrecognized(let value): try show("code.unrecognized", value)
        }
    }
    try await client.send(ReposDelete.self, .init(owner: "ada", repo: "plug"))
}
