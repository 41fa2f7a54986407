import Glibc
import JSONCodec
import System

/// A file that a command reads, whole or piece by piece.
final class InputFile: Sendable {
    /// The bytes of one read: 64 KiB.
    private static let maximumPiece = 64 << 10

    private let path: String
    private let descriptor: CInt

    /// Opens a file; `-` is the standard input.
    ///
    /// - Throws: ``Failure`` if it can't be opened.
    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(FileError(path)) }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Returns the next piece; nil after the last.
    ///
    /// - Throws: ``Failure`` if it can't be read.
    func next() throws(Failure) -> [UInt8]? {
        do throws(FileError) {
            let piece = try FileBytes.piece(of: descriptor, path, size: Self.maximumPiece)
            return piece.isEmpty ? nil : piece
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns the bytes of a file; `-` is the standard input.
    ///
    /// - Throws: ``Failure`` if it can't be read or is larger than `maximum` bytes.
    static func read(_ path: String, maximum: Int = 16 << 20) throws(Failure) -> [UInt8] {
        let file = try InputFile(path)
        do throws(FileError) {
            return try FileBytes.read(file.descriptor, path, limit: maximum)
        } catch {
            throw failure(error)
        }
    }

    /// Returns the JSON text of a file, which must be UTF-8 (RFC 8259 §8.1).
    ///
    /// - Throws: ``Failure`` if it can't be read, is larger than `maximum` bytes, or is not UTF-8.
    static func text(_ path: String, maximum: Int = 16 << 20) throws(Failure) -> String {
        let bytes = try read(path, maximum: maximum)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        do {
            // The parser's error has the position.
            _ = try JSON(parsing: bytes)
        } catch {
            throw Failure("\(path): \(error)")
        }
        throw Failure("\(path) is not UTF-8")
    }

    private static func failure(_ error: FileError) -> Failure {
        Failure("\(error.path) can't be read: \(error.reason)")
    }
}
