/// Returns the most similar name, for an error's remedy; nil if none is similar.
///
/// `headTimeout`, `head_timeout` and `haed-timeout` are similar to `head-timeout`.
package func nearestName(to name: String, among names: [String]) -> String? {
    let meant = letters(name)
    let ranked = names.map { (name: $0, distance: editDistance(meant, letters($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    // Swapping two letters counts as two edits.
    return best.distance <= min(max(2, meant.count / 3), meant.count - 1) ? best.name : nil
}

/// Returns the letters and digits of a name in lower case; the limit exceeds the longest option.
private func letters(_ name: String) -> [Character] {
    let beginning = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    return Array(beginning.lowercased().filter { $0.isLetter || $0.isNumber })
}

/// Returns the number of insertions, deletions and substitutions (Levenshtein).
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
