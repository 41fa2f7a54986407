import Glibc
import Logging
import System

extension Server {
    /// Logs permissions that weaken the server.
    func warnOfExposure() {
        for warning in exposureWarnings { logger.warning("\(warning)") }
    }

    /// Warnings of permissions that weaken the server: root's, and access to its files by others.
    package var exposureWarnings: [String] {
        let root =
            "the server runs as root: run it as a user of its own, such as with User= in its unit"
        let folder = configuration.dataFolder.map { [$0] } ?? []
        let paths = folder + configuration.privateKeys.map(\.path)
        return (geteuid() == 0 ? [root] : []) + paths.compactMap(FileAccess.exposure)
    }
}
