import Glibc
import HTTPServer
import System

extension RunningServer {
    /// Makes the link that signs a browser in as an administrator, with a new code.
    ///
    /// The code is in the fragment, which browsers don't send. Nil without a console, and if other
    /// machines can reach its port.
    package func makeSignInLink() -> String? {
        let places = server.consolePort == .public ? addresses : operations?.addresses ?? []
        guard let sessions = parts.sessions, let url = consoleURL,
            places.allSatisfy(\.isLoopback)
        else { return nil }
        return "\(url)#code=\(sessions.codes.make())"
    }

    /// The console's address; nil without a console, and if it is on a Unix socket.
    var consoleURL: String? {
        guard let port = server.consolePort else { return nil }
        let url = (port == .public ? urls : operationsURLs).first { $0.hasPrefix("http") }
        return url.map { $0 + "/console/" }
    }

    /// Prints a new sign-in link on the terminal: the standard output, else the standard error.
    ///
    /// Without a terminal it makes none, because a file or a journal would store it.
    package func printSignInLink() {
        let terminal = [STDOUT_FILENO, STDERR_FILENO].first(where: Self.isPersonsTerminal)
        guard let terminal, let link = makeSignInLink() else { return }
        let text = """
            Sign in to the console, once and within 10 minutes: \(link)
            kill -USR1 \(getpid()) prints another link.


            """
        _ = Descriptors.write(Array(text.utf8), to: terminal)
    }

    /// Whether a descriptor is a terminal that only a person reads.
    ///
    /// Container engines store the output of a container's terminal. They mount it at `/dev/console`,
    /// where other machines have the system's console, which may be stored, too.
    static func isPersonsTerminal(_ descriptor: CInt) -> Bool {
        var (terminal, console) = (stat(), stat())
        guard isatty(descriptor) == 1, fstat(descriptor, &terminal) == 0 else { return false }
        return stat("/dev/console", &console) != 0 || console.st_rdev != terminal.st_rdev
    }
}
