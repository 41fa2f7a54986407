/// A GET action whose responses have entity tags, so that clients can revalidate them.
///
/// ```swift
/// extension GetPhoto: Tagged {}
/// ```
/// Each response has a strong `ETag`, the digest of its bytes. The server responds with 304 and no
/// body to an `If-None-Match` with the same tag (RFC 9110 §13.1.2).
///
/// A PUT, PATCH, POST or DELETE action at the same path supports `If-Match`. If the tag differs
/// from the current one of GET, the server responds with 412 and doesn't perform the action. The
/// caller also needs the GET action's scopes, since the response reveals its tag. `If-Match` on a
/// resource without tags is a 412.
///
/// The GET action is performed even for a 304: revalidation saves bandwidth only.
public protocol HasEntityTag: DeclaresPolicy {}
