/// A GET action whose answers have entity tags, so that clients ask whether there is anything new.
///
/// ```swift
/// extension GetPhoto: Tagged {}
/// ```
/// Each answer has a strong `ETag`, the digest of its bytes; `If-None-Match` with the same is answered
/// with 304 and no body (RFC 9110 §13.1.2). A PUT, PATCH, POST or DELETE action at the same path
/// heeds `If-Match`: where the tag isn't that of what GET answers, the answer is 412 and nothing is
/// done. Who makes such a condition needs the GET action's scopes, too, since the answer tells of it.
/// A change of what has no tags is 412 where it asks for one. The action is performed in any case: what
/// is saved is what travels.
public protocol Tagged: Governed {}
