import System

/// Files with keys and tokens.
enum KeyFile {
    /// Warns on the standard error if other users can read or write a file.
    static func warnOfExposure(_ path: String) {
        guard let exposure = FileAccess.exposure(of: path) else { return }
        Output.writeError("warning: \(exposure)")
    }
}
