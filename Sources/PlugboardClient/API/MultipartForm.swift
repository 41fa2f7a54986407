public import HTTPTransport
import JSONCodec
public import PlugHTTP

/// Fields and files as `multipart/form-data` (RFC 7578), in memory or of any size.
///
/// ```swift
/// var form = MultipartForm()
/// form.add("title", "Sea")
/// form.add("photo", bytes: jpeg, fileName: "sea.jpg", mediaType: "image/jpeg")
/// let receipt = try await client.send(Upload.self, form.body())
/// ```
public struct MultipartForm: Sendable {
    private struct Part: Sendable {
        let name: String
        let fileName: String?
        let mediaType: String?
        let content: RequestBody

        var step: MultipartReader.Step { content.bytes.map { .bytes($0) } ?? .pieces(content) }
    }

    private var parts: [Part] = []
    private let boundary: String

    /// Creates a form without parts.
    public init() {
        // Random, so that no content can contain it by intent.
        boundary = RandomDigits.make()
    }

    /// Adds a field.
    public mutating func add(_ name: String, _ value: String) {
        let content = RequestBody(bytes: value.utf8)
        parts.append(Part(name: name, fileName: nil, mediaType: nil, content: content))
    }

    /// Adds a file in memory.
    public mutating func add(
        _ name: String,
        bytes: some Sequence<UInt8>,
        fileName: String,
        mediaType: String = "application/octet-stream"
    ) {
        add(name, RequestBody(bytes: bytes, mediaType: mediaType), fileName: fileName)
    }

    /// Adds a file of any size, with the body's media type.
    public mutating func add(_ name: String, _ content: RequestBody, fileName: String) {
        parts.append(
            Part(name: name, fileName: fileName, mediaType: content.mediaType, content: content)
        )
    }

    /// A file of a form.
    public struct File: Sendable {
        /// The file's name.
        public var name: String
        /// The content with its media type.
        public var content: RequestBody

        /// A file of any size.
        public init(name: String, _ content: RequestBody) {
            self.name = name
            self.content = content
        }

        /// A file in memory.
        public init(
            name: String,
            bytes: some Sequence<UInt8>,
            mediaType: String = "application/octet-stream"
        ) {
            self.init(name: name, RequestBody(bytes: bytes, mediaType: mediaType))
        }
    }

    /// Adds a file.
    public mutating func add(_ name: String, _ file: File) {
        add(name, file.content, fileName: file.name)
    }

    /// Adds a value: a text, a number or a Boolean as it is, another one as `application/json`
    /// (OpenAPI 3.1 §4.8.15).
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if the value can't be encoded.
    public mutating func add(
        _ name: String,
        value: some Encodable & Sendable
    ) throws(ClientError) {
        let body = try RequestBody(json: value)
        let json = try? JSON(parsing: body.bytes ?? [])
        if let text = json.flatMap(FieldText.scalar) { return add(name, text) }
        parts.append(Part(name: name, fileName: nil, mediaType: body.mediaType, content: body))
    }

    /// Returns the form as a body: complete if each part is, else in pieces.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` for a media type that a field can't carry.
    public func body() throws(ClientError) -> RequestBody {
        let type = "multipart/form-data; boundary=\(boundary)"
        var heads: [[UInt8]] = []
        for part in parts { heads.append(try head(of: part)) }
        let last = Array("--\(boundary)--\r\n".utf8)
        guard parts.contains(where: { $0.content.bytes == nil }) else {
            var bytes: [UInt8] = []
            for (head, part) in zip(heads, parts) {
                bytes += head
                bytes += part.content.bytes ?? []
                bytes += [0x0D, 0x0A]
            }
            return RequestBody(bytes: bytes + last, mediaType: type)
        }
        var steps: [MultipartReader.Step] = []
        for (head, part) in zip(heads, parts) {
            steps += [.bytes(head), part.step, .bytes([0x0D, 0x0A])]
        }
        let reader = MultipartReader(steps + [.bytes(last)])
        return RequestBody(mediaType: type) { try await reader.next() }
    }

    private func head(of part: Part) throws(ClientError) -> [UInt8] {
        var head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
        if let name = part.fileName { head += "; filename=\"\(Self.quoted(name))\"" }
        head += "\r\n"
        if let type = part.mediaType {
            guard FieldText.text(of: .string(type)) != nil else {
                throw ClientError(
                    .invalidInput,
                    "The media type of \(part.name) has control characters or whitespace around it"
                )
            }
            head += "Content-Type: \(type)\r\n"
        }
        return Array((head + "\r\n").utf8)
    }

    /// Escapes a name as browsers do (HTML Standard, "multipart form data").
    private static func quoted(_ name: String) -> String {
        var quoted = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": quoted += "%22"
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }
}

/// Reads a form's parts one after the other, each piece when the transport needs it.
private actor MultipartReader {
    enum Step: Sendable {
        case bytes([UInt8])
        case pieces(RequestBody)
    }

    private var steps: ArraySlice<Step>

    init(_ steps: [Step]) { self.steps = steps[...] }

    func next() async throws -> [UInt8]? {
        while let step = steps.first {
            switch step {
            case .bytes(let bytes):
                steps.removeFirst()
                if !bytes.isEmpty { return bytes }
            case .pieces(let body):
                var iterator = body.makeAsyncIterator()
                if let piece = try await iterator.next() { return piece }
                steps.removeFirst()
            }
        }
        return nil
    }
}
