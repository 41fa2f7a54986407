import Glibc
import Logging
import System

extension Server {
    /// Warns of permissions that weaken the server: root's, and access to its files by others.
    func warnOfExposure() {
        if geteuid() == 0 {
            logger.warning(
                "the server runs as root: run it as a user of its own, such as with User= in its unit"
            )
        }
        let folder = configuration.dataFolder.map { [$0] } ?? []
        for path in folder + configuration.privateKeys.map(\.path) {
            if let exposure = FileAccess.exposure(of: path) { logger.warning("\(exposure)") }
        }
    }
}
