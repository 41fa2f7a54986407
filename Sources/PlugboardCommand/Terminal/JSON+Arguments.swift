import JSONCodec

extension JSON {
    /// Parses a JSON file; `-` is the standard input.
    static func file(_ path: String) throws(Failure) -> JSON {
        let bytes = try InputFile.read(path)
        do {
            return try JSON(parsing: bytes)
        } catch {
            throw Failure("\(path) isn't valid JSON: \(error)")
        }
    }

    /// Parses an argument's JSON; `name` is the argument's in the error message.
    static func argument(_ text: String, _ name: String) throws -> JSON {
        do {
            return try JSON(parsing: text.utf8)
        } catch {
            throw Failure.usage("\(name) isn't valid JSON: \(error)")
        }
    }
}
