import ArgumentParser
import Glibc
import Logging
import Plugboard
import Settings
import Storage

/// The checks of a server's configuration and of the machine, which change neither.
struct ServerChecks {
    /// The server, which opens nothing.
    let server: Server
    /// The texts of the options that aren't defaults, without secrets.
    let optionTexts: [String]
    /// The time of the checks in seconds since 1970.
    let now: Int

    var configuration: Server.Configuration { server.configuration }

    init(_ server: Server, options: [String] = [], now: Int = Glibc.time(nil)) {
        self.server = server
        optionTexts = options
        self.now = now
    }

    /// Performs all checks, which takes seconds if a database or an issuer doesn't respond.
    func perform() async -> [Finding] {
        let data = dataFolder()
        // Without a store of their own the documents are in the data folder.
        let documents = await documents()
        var findings = declarations + permissions + data.findings
        findings += documents?.findings ?? []
        findings += behaviors(inStore: documents == nil ? data.live : documents?.live)
        findings += auditHead
        let times = [data.newestTime, documents?.newestTime].compactMap(\.self)
        findings += Self.clock(now: now, newest: times.max())
        findings += certificates + clientAuthorities
        findings += authorities
        findings += await keySets()
        findings += publicFolder
        findings += disks
        findings += [descriptors, memory]
        findings += await ports()
        return findings
    }
}

extension ServerChecks {
    /// Returns the errors of invalid options, without which nothing else can be checked.
    static func invalid(_ problems: [String]) -> [Finding] {
        problems.map {
            .error("configuration", $0, do: "Correct it; the other checks need valid options.")
        }
    }

    /// Returns the results of valid options.
    ///
    /// - Parameters:
    ///   - set: the options that aren't defaults, each with its value and its source.
    ///   - warnings: warnings about variables.
    /// - Returns: a result with the options, and one for each warning.
    static func configuration(set: [String], warnings: [String]) -> [Finding] {
        let text = set.isEmpty ? "all options have their defaults" : set.joined(separator: ", ")
        return [.ok("configuration", text)] + warnings.map { .warning("configuration", $0) }
    }

    /// Returns the error of a server that its own code can't make; nil if the results have it.
    ///
    /// An unusable data folder has a result of its own.
    static func unusable(_ error: any Error, besides results: [Finding]) -> Finding? {
        let isKnown = results.contains {
            $0.status == .error && ["data folder", "database"].contains($0.check)
        }
        if error is StorageError, isKnown { return nil }
        let reason = (error as? ValidationError)?.message ?? "\(error)"
        return .error(
            "server",
            "the server can't be made: \(reason)",
            do: "Correct the option or the file that it names."
        )
    }

    /// A logger for parts of the server that would log what the findings have.
    static let quiet = Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }

    private var declarations: [Finding] {
        let problems = server.declarationProblems
        guard problems.isEmpty else {
            return problems.map { .error("server", $0, do: "Correct it in the server's code.") }
        }
        guard !server.actions.isEmpty else { return [] }
        return [.ok("server", counted(server.actions.count, "action"))]
    }

    private var permissions: [Finding] {
        server.exposureWarnings.map { .warning("permissions", $0) }
    }

    private var auditHead: [Finding] {
        guard let settings = configuration.auditHead else { return [] }
        let problems = server.auditHeadProblems
        guard problems.isEmpty else {
            return problems.map {
                .error("audit head", $0, do: "Correct --audit-head or --audit-key.")
            }
        }
        return [Self.writable("audit head", file: settings.path)]
    }
}
