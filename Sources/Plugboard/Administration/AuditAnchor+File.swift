import Glibc
import JSONCodec
import System

extension AuditAnchor {
    /// The reason why a server can't continue the file of an earlier run, with the remedy.
    struct FileProblem: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ reason: String) {
            description =
                "the audit head \(path) \(reason), and the server doesn't replace it; check it "
                + "with audit verify, and move the file to continue"
        }
    }

    /// Reads the file of an earlier run; returns nil if there is none.
    ///
    /// - Throws: ``FileProblem`` if the file can't be read or has another format.
    static func file(_ path: String) throws(FileProblem) -> AuditAnchor? {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: 1 << 16)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw FileProblem(path, "can't be read: \(error.reason)")
        }
        guard let anchor = try? JSON.decode(AuditAnchor.self, from: bytes) else {
            throw FileProblem(path, "has another format")
        }
        return anchor
    }
}
