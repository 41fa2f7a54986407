import Glibc

/// The file that isn't left behind where the command is told to end before it is whole.
enum UnfinishedFile {
    /// Read by the handler of signals, which may come at any moment: set before there is one, and left as it
    /// is from then on.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Has a file removed by SIGINT (Ctrl-C), SIGTERM and SIGHUP, of which each ends the command then as
    /// it would have; what is ignored (`nohup`) stays so.
    ///
    /// A command writes one such file. A file that has got another name since is no longer there to be
    /// removed.
    static func remove(_ name: String, onSignals signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]) {
        guard path == nil else { return }
        path = strdup(name)
        for number in signals {
            var before = sigaction()
            guard sigaction(number, nil, &before) == 0,
                // What a shell has its jobs ignore is none of the command's business.
                unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
                    != unsafeBitCast(SIG_IGN, to: Int.self)
            else { continue }
            var action = sigaction()
            action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
            // Nothing but calls that a handler may make (signal-safety(7)).
            action.__sigaction_handler.sa_handler = { number in
                if let path = UnfinishedFile.path { unlink(path) }
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }
}
