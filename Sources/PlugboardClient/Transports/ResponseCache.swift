import FNV
import HTTPSyntax
import HTTPTypes
import JSONCodec
import Locking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored response.
struct StoredResponse: Codable, Sendable {
    var url: String
    var tag: String
    /// The time at which the server made or confirmed it, in seconds since 1970 (RFC 9111 §4.2.3).
    private var confirmed: Int
    private var fields: [Recording.Field]
    var body: Base64

    /// Stores a response to a request that was sent at a time.
    init(_ key: ResponseCache.Key, tag: String, _ response: HTTPResponse, body: [UInt8], at: Int) {
        url = key.url
        self.tag = tag
        self.body = Base64(bytes: body)
        (confirmed, fields) = (0, [])
        set(response.headerFields, at: at)
    }

    private mutating func set(_ new: HTTPFields, at sent: Int) {
        fields = new.map { .init(name: $0.name.rawName, value: $0.value) }
        let age = new[.age].flatMap { Int($0) } ?? 0
        confirmed = min(Self.date(new[.date], sent) ?? sent, sent - min(max(age, 0), 1 << 31))
    }

    /// Replaces fields by those of a 304 to a request that was sent at a time (RFC 9111 §3.2).
    mutating func update(by others: HTTPFields, at sent: Int) {
        var new = response.headerFields
        new[.age] = nil
        for field in others where field.name != .contentLength {
            new[field.name] = others[field.name]
        }
        set(new, at: sent)
    }

    /// The response as stored.
    var response: HTTPResponse {
        var response = HTTPResponse(status: .ok)
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            response.headerFields.append(HTTPField(name: name, value: field.value))
        }
        return response
    }

    /// Returns the response with its age at a time, without a validation.
    ///
    /// Nil if it is stale and must be validated (RFC 9111 §4.2.4, §5.2.2.2).
    func unvalidated(at now: Int) -> HTTPResponse? {
        var response = response
        let caching = CacheControl(response.headerFields[.cacheControl])
        let age = max(0, now - confirmed)
        guard !caching.forbidsStale || age < caching.maxAge ?? lifetime(response.headerFields, now)
        else { return nil }
        response.headerFields[.age] = String(age)
        return response
    }

    /// The seconds between `Date` and `Expires`; 0 without them (RFC 9111 §4.2.1).
    private func lifetime(_ fields: HTTPFields, _ now: Int) -> Int {
        guard let end = Self.date(fields[.expires], now), let date = Self.date(fields[.date], now)
        else { return 0 }
        return end - date
    }

    private static func date(_ text: String?, _ now: Int) -> Int? {
        guard var text else { return nil }
        return text.withUTF8 { HTTPDate.parse($0, now: now) }
    }
}

/// A folder of stored responses, a file each, within a limit of bytes.
final class ResponseCache: Sendable {
    /// The key of an entry: the URL, and the fields that may select its response.
    struct Key: Sendable {
        let url: String
        /// The name of the entry's file, which reveals no credentials.
        let fileName: String

        init(_ request: HTTPRequest) {
            url = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "/")"
            let fields = request.headerFields
                .filter { !Self.varying.contains($0.name) }
                .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
            let text = ([url] + fields).joined(separator: "\n")
            fileName = ["a", "b"].map { start in
                var hash = FNV1a()
                hash.add((start + text).utf8)
                return String(hash.value, radix: 16)
            }.joined(separator: "-")
        }

        /// The fields that differ in each request and select no response.
        private static let varying: Set<HTTPField.Name?> = [
            HTTPField.Name("Request-Timeout"), HTTPField.Name("traceparent"),
            HTTPField.Name("tracestate"),
        ]
    }

    private let folder: URL
    private let maximumBytes: Int
    private let lock = Locked(())

    init(folder: String, maximumBytes: Int) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
        self.maximumBytes = maximumBytes
    }

    private func file(_ key: Key) -> URL { folder.appending(path: key.fileName) }

    /// Returns an entry; nil if it is absent or unreadable.
    func entry(for key: Key) -> StoredResponse? {
        guard let data = try? Data(contentsOf: file(key)),
            let stored = try? JSON.decode(StoredResponse.self, from: Array(data)),
            stored.url == key.url
        else { return nil }
        return stored
    }

    /// Stores an entry and removes the least recently used ones beyond the limit.
    ///
    /// A full disk costs the entry, not the call.
    func store(_ response: StoredResponse, for key: Key) {
        guard let bytes = try? JSON.encode(response), bytes.count <= maximumBytes else {
            return remove(key)
        }
        lock.withLock { _ in
            let manager = FileManager.default
            try? manager.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try? Data(bytes).write(to: file(key), options: .atomic)
            evict(except: key)
        }
    }

    /// Removes an entry.
    func remove(_ key: Key) { try? FileManager.default.removeItem(at: file(key)) }

    private func evict(except key: Key) {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder.path())) ?? []
        var files = names.compactMap { name -> (url: URL, size: Int, used: Date)? in
            let url = folder.appending(path: name)
            guard let attributes = try? manager.attributesOfItem(atPath: url.path()),
                let used = attributes[.modificationDate] as? Date
            else { return nil }
            // An integer, or an NSNumber if another module of the process loads all of Foundation.
            let size = attributes[.size].flatMap { Int("\($0)") } ?? 0
            return (url, size, used)
        }
        var total = files.reduce(0) { $0 + $1.size }
        files.sort { $0.used < $1.used }
        for file in files where total > maximumBytes && file.url.lastPathComponent != key.fileName {
            try? manager.removeItem(at: file.url)
            total -= file.size
        }
    }
}
