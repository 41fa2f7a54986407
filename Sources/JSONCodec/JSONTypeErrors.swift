/// Values that are not what their readers need: all that were found in a document.
public struct JSONTypeErrors: Error, Sendable, CustomStringConvertible {
    /// The first of them, at least one, in the order in which the type names its members.
    public let all: [JSONTypeError]
    /// Whether there are more.
    public let isCut: Bool

    /// The most errors that are reported.
    static let greatestCount = 50

    package init(_ all: [JSONTypeError]) {
        self.all = Array(all.prefix(Self.greatestCount))
        isCut = all.count > Self.greatestCount
    }

    /// The pointers and messages on one line, the first few.
    public var description: String {
        let few = all.prefix(4).map(\.description).joined(separator: "; ")
        return all.count > 4 ? few + "; …" : few
    }
}
