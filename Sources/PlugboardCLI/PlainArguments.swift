/// A command line of `serve` and nothing but options, each with its value behind it:
/// `serve --port 9000`.
///
/// ArgumentParser reads all others, and this one, too, where something is wrong with it. Where
/// nothing is, both read the same; but the parser looks up types and conformances for each option,
/// and these took two thirds of the instructions of a server's start.
struct PlainArguments {
    /// The values of each option, in order.
    let values: [String: [String]]
    /// The file of `--config`.
    let config: String?

    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        guard rest.popFirst() == "serve" else { return nil }
        var values: [String: [String]] = [:]
        while let option = rest.popFirst() {
            guard option.hasPrefix("--"), let value = rest.popFirst(), !value.hasPrefix("-") else {
                return nil
            }
            values[String(option.dropFirst(2)), default: []].append(value)
        }
        let files = values.removeValue(forKey: "config") ?? []
        guard files.count <= 1 else { return nil }
        config = files.first
        self.values = values
    }
}
