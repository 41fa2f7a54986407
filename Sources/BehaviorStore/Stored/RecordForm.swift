/// A record as change files and archives have it: a flat object; a nil value removes the record.
struct RecordForm: Codable {
    var kind: String
    var environment: String
    var name: String
    var item: String
    var value: String?

    init(_ key: RecordKey, _ value: String?) {
        kind = key.kind.rawValue
        environment = key.environment
        name = key.name
        item = key.item
        self.value = value
    }

    /// Nil if its kind is unknown.
    var key: RecordKey? {
        RecordKind(rawValue: kind).map { RecordKey($0, environment, name, item) }
    }
}
