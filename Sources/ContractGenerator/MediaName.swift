/// A media type of a description.
struct MediaName: Equatable {
    enum Kind {
        case json, form, multipart
        /// A stream of events for `EventSource`.
        case events
        /// A stream of JSON values, one a line.
        case lines
        /// Any other content.
        case bytes
    }

    let name: String
    /// The type in lower case, without parameters.
    let essence: String

    init(_ name: String) {
        self.name = name
        essence = name.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    var kind: Kind {
        switch essence {
        case "application/json", "text/json": .json
        case "application/x-www-form-urlencoded": .form
        case "multipart/form-data": .multipart
        case "text/event-stream": .events
        case "application/jsonl", "application/x-ndjson": .lines
        case _ where essence.hasSuffix("+json") && !essence.contains("*"): .json
        default: .bytes
        }
    }

    /// Whether a field can name the type, with visible characters only.
    var isValid: Bool {
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
                            || "!#$&-^_.+".utf8.contains($0)
                    }
            }
    }
}
