// The members that the decoded type requests; all others are unknown.
extension Tape {
    /// Returns the index of a member's value, and notes that the type has requested it.
    @inline(__always)
    func request(_ name: consuming String, in object: Int) -> Int? {
        guard let value = find(name, in: object) else { return nil }
        noteRequest(ofName: value - 1)
        return value
    }

    /// Notes that the type has requested the member with this name.
    @inline(__always)
    func noteRequest(ofName index: Int) {
        guard !nodes[index].isRequested else { return }
        nodes[index].isRequested = true
        requestedCount += 1
    }

    /// Whether the type has not requested some members.
    var hasUnrequestedMembers: Bool { requestedCount != memberCount }
}
