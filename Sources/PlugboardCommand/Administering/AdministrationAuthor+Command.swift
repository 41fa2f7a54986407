import Glibc
import AdministrationStore

extension AdministrationAuthor {
    /// The command's user, who writes the store directly.
    static var command: AdministrationAuthor {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
        return AdministrationAuthor(id: "command", name: user ?? "user \(getuid())")
    }
}
