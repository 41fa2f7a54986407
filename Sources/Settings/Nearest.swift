/// The name that was probably meant; nil where none is near.
///
/// `headTimeout`, `head_timeout` and `haed-timeout` are near `head-timeout`.
func nearest(to name: String, among names: [String]) -> String? {
    let meant = letters(name)
    let ranked = names.map { (name: $0, distance: editDistance(meant, letters($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    // Two for letters that have changed places.
    return best.distance <= min(max(2, meant.count / 3), meant.count - 1) ? best.name : nil
}

/// A name as it would be without signs and capitals; no more of it than the longest option has.
private func letters(_ name: String) -> [Character] {
    let beginning = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    return Array(beginning.lowercased().filter { $0.isLetter || $0.isNumber })
}

/// How many characters have to be put in, taken out or changed (Levenshtein).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (at, character) in left.enumerated() {
        var diagonal = row[0]
        row[0] = at + 1
        for (place, other) in right.enumerated() {
            let changed = diagonal + (character == other ? 0 : 1)
            diagonal = row[place + 1]
            row[place + 1] = min(changed, row[place] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
