import HTTPSyntax

extension PathTemplate {
    /// The path in which each capture has its value, percent-encoded.
    ///
    /// - Throws: ``Unfillable`` where a value is missing or cannot be a segment.
    package func path(filling value: (_ name: String) -> String?) throws(Unfillable) -> String {
        guard !segments.isEmpty else { return "/" }
        var path = ""
        for segment in segments {
            path += "/"
            switch segment {
            case .literal(let text):
                path += PercentCoding.encode(text)
            case .capture(let name):
                guard let value = value(name) else {
                    throw Unfillable("\(self) needs a value for {\(name)}")
                }
                guard !value.isEmpty else {
                    throw Unfillable("{\(name)} in \(self) cannot be empty")
                }
                // Dots need no encoding, so an encoded "." would still be resolved away on the
                // route.
                guard value != ".", value != ".." else {
                    throw Unfillable("{\(name)} in \(self) cannot be \"\(value)\"")
                }
                guard !value.utf8.contains(0) else {
                    throw Unfillable("{\(name)} in \(self) cannot hold NUL")
                }
                path += PercentCoding.encode(value)
            }
        }
        return path
    }

    /// The error of values that make no path.
    package struct Unfillable: Error, Equatable, CustomStringConvertible {
        /// Which value, and what is wrong with it.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
