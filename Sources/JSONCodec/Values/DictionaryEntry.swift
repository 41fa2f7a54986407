/// An entry of a dictionary whose keys can't be names: `{"key":{"x":1},"value":2}`.
///
/// Swift's own coding writes such a dictionary as a list of alternating keys and values. JSON Schema
/// can't describe that list, so no client could read it.
struct DictionaryEntry<Key, Value> {
    let key: Key
    let value: Value
}

extension DictionaryEntry: Decodable where Key: Decodable, Value: Decodable {}

extension DictionaryEntry: Encodable where Key: Encodable, Value: Encodable {}
