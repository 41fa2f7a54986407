import HTTPTransport
public import PlugHTTP

extension RequestBody {
    /// Creates a body of a value as JSON.
    ///
    /// - Throws: `ClientError` of kind `invalidInput` if the value can't be encoded.
    public init(
        json value: some Encodable & Sendable,
        mediaType: String = "application/json"
    ) throws(ClientError) {
        self.init(bytes: try API.Body.json(value).bytes(), mediaType: mediaType)
    }

    /// Creates a body of a value's members as `application/x-www-form-urlencoded`.
    ///
    /// A list repeats its name: `tag=a&tag=b`. A nested member is `near[city]=Riga`.
    /// - Throws: `ClientError` of kind `invalidInput` if a value can't be in a form.
    public init(form value: some Encodable & Sendable) throws(ClientError) {
        self.init(
            bytes: try API.Body.form(value).bytes(),
            mediaType: "application/x-www-form-urlencoded"
        )
    }
}

extension API.Body {
    /// The bytes of a body in memory.
    fileprivate func bytes() throws(ClientError) -> [UInt8] {
        guard case .bytes(let bytes) = try encoded().body else { return [] }
        return bytes
    }
}
