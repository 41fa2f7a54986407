import Glibc

/// A temporary file that is removed if a signal ends the command early.
enum UnfinishedFile {
    /// The file's path, set before the signal handlers that read it, and constant from then on.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Removes a file on SIGINT (Ctrl-C), SIGTERM and SIGHUP; then the signal ends the command.
    ///
    /// Ignored signals (`nohup`) stay ignored. A process has at most one such file. The handler
    /// has no effect once the file is renamed.
    static func remove(_ name: String, onSignals signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]) {
        guard path == nil else { return }
        path = strdup(name)
        for number in signals {
            var before = sigaction()
            guard sigaction(number, nil, &before) == 0,
                // A shell's background jobs and `nohup` ignore signals on purpose.
                unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
                    != unsafeBitCast(SIG_IGN, to: Int.self)
            else { continue }
            var action = sigaction()
            action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
            // Async-signal-safe calls only (signal-safety(7)).
            action.__sigaction_handler.sa_handler = { number in
                if let path = UnfinishedFile.path { unlink(path) }
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }
}
