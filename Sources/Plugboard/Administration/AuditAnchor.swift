package import BehaviorStore
package import Digests
import Glibc
import HTTPSyntax
import JSONCodec
package import AdministrationStore
import System

/// The last rows of both audits at one time, with a signature.
///
/// It is stored elsewhere than the audits. A verification that expects it finds rows that were cut
/// off. Without the key, a writer of the stores can't replace it.
package struct AuditAnchor: Codable, Sendable, Equatable {
    /// The last row of an audit.
    package struct Head: Codable, Sendable, Equatable {
        /// The row's number; 0 if there is no row.
        package var row: Int
        /// The row's hash; zeros if there is no row.
        package var hash: String
    }

    /// The time, as `2026-11-22T08:00:00Z` (RFC 3339).
    package var at: String
    /// The audit of documents.
    package var documents: Head
    /// The audit of tokens and plugs.
    package var administration: Head
    /// The Ed25519 signature of the other members, in base64url; nil if it isn't signed.
    package var signature: String?

    /// Reads the last rows; either store may be missing.
    package init(
        _ backend: (any BehaviorBackend)?,
        _ administration: (any AdministrationBackend)?
    ) async throws {
        let documents = try await backend?.head() ?? .none
        let administration = try await administration?.head() ?? AdministrationHead.none
        at = HTTPDate.timestamp(time(nil))
        self.documents = Head(row: documents.sequence, hash: documents.hash)
        self.administration = Head(row: administration.sequence, hash: administration.hash)
    }

    /// The signed text.
    private var message: [UInt8] {
        Array(
            """
            plugboard audit head
            at \(at)
            documents \(documents.row) \(documents.hash)
            administration \(administration.row) \(administration.hash)

            """.utf8
        )
    }

    /// Signs the heads with a private key.
    package mutating func sign(with key: SigningKey) {
        signature = key.signature(of: message).map { Base64URL.encode($0) }
    }

    /// Whether the key's owner has signed the heads.
    package func isSigned(by key: SigningKey) -> Bool {
        let bytes = signature.flatMap { Array($0.utf8).withUnsafeBufferPointer(Base64URL.decode) }
        return bytes.map { key.accepts($0, of: message) } ?? false
    }

    /// The JSON text of a file.
    package var text: [UInt8] {
        (try? JSON.encode(self)).map { $0 + [UInt8(ascii: "\n")] } ?? []
    }
}

extension AuditAnchor {
    /// The reason why a key can't be used.
    package struct KeyError: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads an Ed25519 key from a PEM file.
    ///
    /// - Throws: ``KeyError`` if the file can't be read or has no such key.
    package static func key(_ path: String) throws(KeyError) -> SigningKey {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: 1 << 16)
        } catch {
            throw KeyError(description: "\(path) can't be read: \(error.reason)")
        }
        guard let key = SigningKey(pem: bytes) else {
            throw KeyError(
                description: "\(path) has no Ed25519 key; make one with openssl genpkey -algorithm "
                    + "ed25519"
            )
        }
        return key
    }

    /// Reads an Ed25519 private key.
    ///
    /// - Throws: ``KeyError`` if the file has none.
    package static func privateKey(_ path: String) throws(KeyError) -> SigningKey {
        let key = try key(path)
        guard key.isPrivate else {
            throw KeyError(description: "\(path) has a public key; signing needs the private one")
        }
        return key
    }
}
