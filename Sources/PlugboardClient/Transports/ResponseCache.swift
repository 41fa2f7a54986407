import HTTPTypes
import JSONCodec
import FNV
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
    var fields: [Recording.Field]
    var body: Base64

    init(_ key: ResponseCache.Key, tag: String, _ response: HTTPResponse, body: [UInt8]) {
        url = key.url
        self.tag = tag
        fields = response.headerFields.map { .init(name: $0.name.rawName, value: $0.value) }
        self.body = Base64(bytes: body)
    }

    /// Returns the response with the fields of a 304 in place of its own (RFC 9111 §3.2).
    func response(updatedBy others: HTTPFields) -> HTTPResponse {
        var response = HTTPResponse(status: .ok)
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            response.headerFields.append(HTTPField(name: name, value: field.value))
        }
        for field in others where field.name != .contentLength {
            response.headerFields[field.name] = others[field.name]
        }
        return response
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

    /// Marks an entry as used.
    func touch(_ key: Key) {
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()],
            ofItemAtPath: file(key).path()
        )
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
