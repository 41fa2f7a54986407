import HTTPSyntax

extension PathTemplate {
    /// Returns the path with percent-encoded values in place of the captures.
    ///
    /// - Throws: ``Unfillable`` if a value is missing or can't be a segment.
    package func path(filling value: (_ name: String) -> String?) throws(PathValueError) -> String {
        guard !segments.isEmpty else { return "/" }
        var path = ""
        for segment in segments {
            path += "/"
            switch segment {
            case .literal(let text):
                path += PercentCoding.encode(text)
            case .capture(let name):
                guard let value = value(name) else {
                    throw PathValueError("\(self) needs a value for {\(name)}")
                }
                guard !value.isEmpty else {
                    throw PathValueError("{\(name)} in \(self) cannot be empty")
                }
                // Dots need no encoding, so clients and proxies would resolve even an encoded ".".
                guard value != ".", value != ".." else {
                    throw PathValueError("{\(name)} in \(self) cannot be \"\(value)\"")
                }
                guard !value.utf8.contains(0) else {
                    throw PathValueError("{\(name)} in \(self) cannot contain NUL")
                }
                path += PercentCoding.encode(value)
            }
        }
        return path
    }

    /// The error of a value that can't be in a path.
    package struct PathValueError: Error, Equatable, CustomStringConvertible {
        /// The value's name and the rule that it breaks.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
