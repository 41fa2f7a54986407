/// The first elements of a list that may have more.
package struct LimitedList<Element: Sendable>: Sendable {
    /// The elements.
    package var elements: [Element]
    /// Whether they are all.
    package var isComplete: Bool
}
