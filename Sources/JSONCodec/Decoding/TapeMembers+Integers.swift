// One method for each width. A generic one would remain unspecialized, since only the caller knows
// the key's type. That took twice the time.
extension TapeMembers {
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try tape.integer(type, at: place(key))
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try tape.integer(type, at: place(key))
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let place = placeIfPresent(key) else { return nil }
        return try tape.integer(type, at: place)
    }
}
