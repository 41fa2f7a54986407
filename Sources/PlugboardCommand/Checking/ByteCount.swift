/// Sizes for people.
enum ByteCount {
    /// Returns a size with its largest fitting unit: `96 KiB`, `1.5 GiB`.
    static func text(_ bytes: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        var (unit, value) = (0, Double(bytes))
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        let isWhole = tenths % 10 == 0 || value >= 10
        return isWhole
            ? "\(Int(value.rounded())) \(units[unit])"
            : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
