/// All values of a document that don't match their types.
public struct JSONTypeErrors: Error, Sendable, CustomStringConvertible {
    /// The errors, at least one and at most 50, in the order of the type's members.
    public let all: [JSONTypeError]
    /// Whether further errors were cut.
    public let isCut: Bool

    /// Whether there are unknown members, in the query or the body.
    package let hasUnknown: Bool

    /// The maximum number of reported errors.
    static let maximumCount = 50

    package init(_ all: [JSONTypeError], hasUnknown: Bool = false) {
        self.hasUnknown = hasUnknown
        self.all = Array(all.prefix(Self.maximumCount))
        isCut = all.count > Self.maximumCount
    }

    /// The first four pointers and messages on one line.
    public var description: String {
        let few = all.prefix(4).map(\.description).joined(separator: "; ")
        return all.count > 4 ? few + "; …" : few
    }
}
