// One method for each width, as for keyed containers: a generic one would remain unspecialized.
extension ArenaMembers {
    func encode(_ value: Int, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Int8, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Int16, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Int32, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Int64, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: Int128, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt8, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt16, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt32, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt64, forKey key: Key) throws { arena.set(value, at: add(key)) }
    func encode(_ value: UInt128, forKey key: Key) throws { arena.set(value, at: add(key)) }
}
