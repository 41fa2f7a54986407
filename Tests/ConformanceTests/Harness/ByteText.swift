/// Search by scalars: to `Character`, a CRLF is one and a CR before it another.
extension Substring {
    func range(of part: String) -> Range<Index>? {
        let wanted = Array(part.unicodeScalars)
        var start = unicodeScalars.startIndex
        while start < unicodeScalars.endIndex {
            if unicodeScalars[start...].starts(with: wanted) {
                return start..<unicodeScalars.index(start, offsetBy: wanted.count)
            }
            start = unicodeScalars.index(after: start)
        }
        return nil
    }

    func hasScalars(_ part: String) -> Bool {
        unicodeScalars.starts(with: part.unicodeScalars)
    }
}
