/// The limits of a request's head.
package struct HeadLimits: Sendable, Equatable {
    /// The size of the head in bytes, including the request line; more is rejected with 431.
    package var head = 16 * 1024
    /// The size of the target in bytes; more is rejected with 414.
    ///
    /// RFC 9112 §3 recommends at least 8,000.
    package var target = 8 * 1024
    /// The number of field lines; more is rejected with 431.
    package var fields = 100

    package init() {}
}
