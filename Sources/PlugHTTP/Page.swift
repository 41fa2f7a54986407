/// A part of a list, with the cursor of the next part.
///
/// ```swift
/// class ListPhotos: Action<ListPhotos.Query, Page<Photo>>, GET {
///     struct Query: Codable, Sendable {
///         var cursor: String?
///         var limit: Int
///     }
///     static var path: String { "/photos" }
/// }
/// ListPhotos.self <~ { query in
///     let photos = try await photos.list(after: query.cursor, limit: query.limit + 1)
///     return Page(photos, limit: query.limit) { $0.name }
/// }
/// ```
/// The body is an object, so that clients in every language read the cursor, also in a batch:
/// `{"items":[…],"next":"…","total":3}`. The response has the link `<?cursor=…>; rel="next"`, too,
/// with the request's other parameters (RFC 8288 §3.3).
public struct Page<Item> {
    /// The items of this part.
    public var items: [Item]

    /// The cursor of the next part; nil after the last one.
    ///
    /// Clients send it as the input's `cursor` and don't interpret it.
    public var next: String?

    /// The number of items in all parts; nil if it isn't counted.
    public var total: Int?

    /// Creates a page.
    public init(_ items: [Item], next: String? = nil, total: Int? = nil) {
        self.items = items
        self.next = next
        self.total = total
    }

    /// Creates a page of the first items, at most `limit`.
    ///
    /// If there are more, the next page's cursor is that of the last item here. So read one item
    /// more than the limit.
    public init(
        _ items: some Sequence<Item>,
        limit: Int,
        total: Int? = nil,
        cursor: (Item) throws -> String
    ) rethrows {
        let limit = max(limit, 0)
        let items = Array(items.prefix(limit == .max ? limit : limit + 1))
        self.items = Array(items.prefix(limit))
        next = try items.count > limit ? self.items.last.map(cursor) : nil
        self.total = total
    }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}
extension Page: Encodable where Item: Encodable {}
extension Page: Decodable where Item: Decodable {}

/// An output with a link to the next part.
package protocol LinkedOutput {
    /// The next part's cursor.
    var next: String? { get }
}

extension Page: LinkedOutput {}

/// The input's member that has a page's cursor.
package let cursorMember = "cursor"
