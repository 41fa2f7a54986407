import JSONCodec
import System

extension Server {
    /// Start-up errors for private files and folders in the public folder, whose files every client
    /// can read.
    package var publishedProblems: [String] {
        guard let folder = configuration.publicFolder, let identity = FileIdentity(folder) else {
            return []
        }
        return configuration.publishedProblems(in: folder, identity)
    }
}

extension Server.Configuration {
    /// Returns the private files and folders in the folder that is open as the public one.
    func publishedProblems(in folder: String, _ identity: FileIdentity) -> [String] {
        privatePaths.compactMap { name, path in
            guard Paths.isBeneath(identity, path) else { return nil }
            return
                "the \(name) \(path) (\(Paths.real(path))) is in the public folder \(folder) "
                + "(\(Paths.real(folder))), where clients can read it: move it out of that folder, "
                + "or choose another folder with \(remedies.publicFolder)"
        }
    }
}

extension Server.Configuration {
    /// The files and folders that no client may read, each with its name in messages.
    fileprivate var privatePaths: [(name: String, path: String)] {
        var paths: [(name: String, path: String)] = []
        func add(_ name: String, _ path: String?) {
            if let path, !path.isEmpty { paths.append((name, path)) }
        }
        add("data folder", dataFolder)
        if case .folder(let folder) = documents { add("behaviors folder", folder) }
        for key in privateKeys { add(key.name, key.path) }
        add("audit head", auditHead?.path)
        add("options file", optionsFile)
        if host.hasPrefix("unix:") { add("server's Unix socket", String(host.dropFirst(5))) }
        return paths
    }

    /// The files of private keys, each with its name in messages.
    ///
    /// A JSON Web Key Set is public, unless it has a private key or a shared secret.
    var privateKeys: [(name: String, path: String)] {
        var keys: [(name: String, path: String)] = []
        for case .files(_, let key) in tls?.identities ?? [] {
            keys.append(("TLS private key", key))
        }
        if let key = auditHead?.key { keys.append(("audit key", key)) }
        if case .file(let path) = webTokens?.keys, Self.hasSecret(path) {
            keys.append(("JSON Web Key Set with a private key", path))
        }
        return keys
    }

    /// Whether a JSON Web Key Set has a private key or a shared secret (RFC 7518 §6).
    private static func hasSecret(_ path: String) -> Bool {
        guard let bytes = try? FileBytes.read(path, limit: 1 << 20),
            let set = try? JSON(parsing: bytes, depth: 16)
        else { return false }
        return (set["keys"]?.array ?? [set]).contains { $0["d"] != nil || $0["k"] != nil }
    }
}
