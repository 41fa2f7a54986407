import JSONCodec

extension JSON {
    /// The JSON in a file; `-` is the standard input.
    static func file(_ path: String) throws(Failure) -> JSON {
        let bytes = try InputFile.read(path)
        do {
            return try JSON(parsing: bytes)
        } catch {
            throw Failure("\(path) isn't valid JSON: \(error)")
        }
    }

    /// The JSON of an argument, which `name` names where it isn't valid.
    static func argument(_ text: String, _ name: String) throws -> JSON {
        do {
            return try JSON(parsing: text.utf8)
        } catch {
            throw Failure.usage("\(name) isn't valid JSON: \(error)")
        }
    }
}
