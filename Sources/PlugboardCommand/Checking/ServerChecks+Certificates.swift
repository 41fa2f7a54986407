import HTTPServer
import HTTPSyntax
import Identity
import Plugboard
import PlugboardClient

extension ServerChecks {
    /// The time before an end at which it is a warning, in seconds.
    private static let notice = 30 * 86_400

    /// Checks the server's certificates, their keys and chains.
    var certificates: [Finding] {
        guard let tls = configuration.tls?.http else { return [] }
        return tls.identities.flatMap { identity -> [Finding] in
            guard case .files(let path, _) = identity else {
                return [.ok("certificate", "a self-signed one for localhost, made at each start")]
            }
            do throws(TLSError) {
                guard let report = try identity.report() else { return [] }
                return Self.certificate(path, report, now: now)
            } catch {
                return error.problems.map {
                    .error("certificate", $0, do: "Correct the file, --tls-cert or --tls-key.")
                }
            }
        }
    }

    /// Returns the results of a certificate's file: its dates first.
    static func certificate(_ path: String, _ report: CertificateReport, now: Int) -> [Finding] {
        let check = "certificate"
        let hosts = report.hostNames.isEmpty ? report.subject : report.hostNames[0]
        let more = report.hostNames.count > 1 ? " and \(report.hostNames.count - 1) more" : ""
        let name = "\(path) (\(hosts)\(more))"
        var findings: [Finding] = []
        if report.begin > now {
            findings.append(
                .error(
                    check,
                    "\(name) is valid from \(time(report.begin)) on",
                    do: "Check the clock, or use the previous certificate until then."
                )
            )
        }
        findings += ending(check, name, report.end, now: now)
        for link in report.chain {
            findings += ending(check, "\(path): its chain's \(link.subject)", link.end, now: now)
        }
        if report.hostNames.isEmpty {
            findings.append(
                .warning(
                    check,
                    "\(name) has no host name, so clients reject it",
                    do: "Issue it with the server's names as subjectAltName."
                )
            )
        }
        findings += [trust(path, report.trust)].compactMap(\.self)
        guard findings.isEmpty else { return findings }
        let left = duration(report.end - now)
        let issuer =
            switch report.trust {
            case .selfSigned: ", and is self-signed"
            case .unknownAuthority(let name): ", issued by \(name), unknown to this system"
            default: ""
            }
        return [.ok(check, "\(name) is valid for \(left), until \(date(report.end))\(issuer)")]
    }

    /// Returns the error or the warning of an end of validity; none if it is far.
    private static func ending(
        _ check: String,
        _ name: String,
        _ end: Int,
        now: Int
    ) -> [Finding] {
        let remedy = "Renew it; a running server loads the new file without a restart."
        if end <= now {
            return [.error(check, "\(name) expired on \(date(end))", do: remedy)]
        }
        guard end - now < notice else { return [] }
        let left = duration(end - now)
        return [.warning(check, "\(name) expires in \(left), on \(date(end))", do: remedy)]
    }

    private static func trust(_ path: String, _ trust: CertificateReport.Trust) -> Finding? {
        switch trust {
        case .selfSigned, .complete, .unknownAuthority: nil
        case .missingIssuer(let issuer):
            .warning(
                "certificate",
                "\(path) lacks the certificate of its issuer \(issuer)",
                do: "Append the authority's intermediate certificates to the file."
            )
        case .brokenAt(let number):
            .warning(
                "certificate",
                "\(path): certificate \(number) hasn't issued certificate \(number - 1)",
                do: "Put the server's certificate first, and after each one its issuer."
            )
        }
    }

    /// Checks the authorities and the revocation lists of client certificates.
    var clientAuthorities: [Finding] {
        guard let clients = configuration.tls?.http.clients else { return [] }
        do throws(TLSError) {
            return try clients.report().map { Self.clientAuthorities($0, now: now) } ?? []
        } catch {
            return error.problems.map {
                .error(
                    "client CA",
                    $0,
                    do: "Correct the file, --tls-client-ca or --tls-client-crl."
                )
            }
        }
    }

    /// Returns the results of client authorities.
    static func clientAuthorities(_ report: ClientAuthoritiesReport, now: Int) -> [Finding] {
        let check = "client CA"
        var findings = ending(check, "the first authority", report.end, now: now)
        // Lists have short lives by their nature: only an expired one is wrong.
        if let end = report.revocationsEnd, end <= now {
            findings.append(
                .error(
                    check,
                    "a revocation list expired on \(time(end)), so its authority's clients fail",
                    do: "Replace the list; a running server loads it without a restart."
                )
            )
        }
        guard findings.isEmpty else { return findings }
        let lists = report.revocationsEnd.map {
            ", " + counted(report.revocations, "revocation list") + " until \(time($0))"
        }
        let authorities = report.count == 1 ? "1 authority" : "\(report.count) authorities"
        return [.ok(check, "\(authorities) until \(date(report.end))\(lists ?? "")")]
    }

    /// Checks the authorities that the server's own clients trust.
    var authorities: [Finding] {
        let urls = server.issuers.compactMap { issuer -> String? in
            if case .url(let url) = issuer.keys { url } else { nil }
        }
        let isNeeded = (urls + optionTexts).contains { $0.lowercased().hasPrefix("https://") }
        return [Self.authorities(SystemAuthorities.find(), isNeeded: isNeeded)]
    }

    /// Returns the result of the system's authorities; `isNeeded` if the options have an https URL.
    static func authorities(_ found: SystemAuthorities, isNeeded: Bool) -> Finding {
        if found.fileCount > 0 {
            return .ok("CA bundle", "\(found.file) has \(counted(found.fileCount, "certificate"))")
        }
        if found.folderCount > 0 {
            let count = counted(found.folderCount, "certificate")
            return .ok("CA bundle", "\(found.folder) has \(count)")
        }
        let message =
            "neither \(found.file) nor \(found.folder) has a certificate: https to others fails"
        let remedy = "Install ca-certificates, or set SSL_CERT_FILE to a PEM file."
        return isNeeded
            ? .error("CA bundle", message, do: remedy) : .warning("CA bundle", message, do: remedy)
    }

    /// Checks the keys of JSON Web Tokens, which it reads or fetches.
    func keySets() async -> [Finding] {
        var findings: [Finding] = []
        for issuer in server.issuers {
            do {
                let source = try issuer.source()
                let (count, problems) = try await source.check()
                let text = "\(source) has \(counted(count, "usable key"))"
                findings.append(.ok("key set", text))
                findings += problems.map { .warning("key set", "\(source): \($0)") }
            } catch {
                let place = issuer.keys.place
                let text = "\(error)"
                findings.append(
                    .error(
                        "key set",
                        text.hasPrefix(place) ? text : "\(place): \(text)",
                        do: "Correct --jwks, the network, or the authorities in the CA bundle."
                    )
                )
            }
        }
        return findings
    }
}

extension WebTokens.Keys {
    /// The file or the URL, without possible secrets.
    fileprivate var place: String {
        switch self {
        case .file(let path): RedactedURL.text(ofFileOrURL: path)
        case .url(let url): RedactedURL.text(url)
        }
    }
}
