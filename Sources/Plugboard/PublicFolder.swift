import CLinux
import System
import Glibc
import HTTPSyntax
import HTTPServer

/// A folder whose files are served.
///
/// Nothing outside of it is reached: not by "..", not by an encoded slash, not by a link.
struct PublicFolder: Sendable {
    let path: String
    private let root: FileDescriptor
    private let open = OpenFiles()
    /// Whether the kernel sees to it that nothing outside is reached.
    let isGuarded: Bool

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - path: the folder's.
    ///   - asksKernel: whether the kernel may be asked to look up paths beneath it. Where it can't,
    ///     since it is older than Linux 5.6 or a container forbids it, no link is followed.
    /// - Throws: `SystemError` if there is none, or none that may be looked into.
    init(path: String, asksKernel: Bool = true) throws {
        let fd = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard fd >= 0 else {
            throw SystemError("can't serve the folder \(path) (another one: --public FOLDER)")
        }
        self.path = path
        root = FileDescriptor(fd)
        guard asksKernel else {
            isGuarded = false
            return
        }
        let probe = clinux_open_beneath(fd, ".")
        isGuarded = probe >= 0
        if isGuarded {
            close(probe)
        } else if errno != ENOSYS, errno != EPERM {
            throw SystemError("can't look into the folder \(path)")
        }
    }

    /// A file of the folder, open, and what is told of it.
    struct File {
        let descriptor: FileDescriptor
        /// The path below the folder.
        let name: String
        let stamp: FileStamp
        private(set) var validators: Validators
        let mediaType: String

        var isCompressible: Bool {
            var type = mediaType
            return type.withUTF8 { MediaType($0).isCompressible }
        }

        var size: Int { stamp.size }

        init(_ descriptor: FileDescriptor, _ name: String, _ stamp: FileStamp) {
            self.descriptor = descriptor
            self.name = name
            self.stamp = stamp
            validators = Validators(etag: stamp.etag, lastModified: stamp.seconds)
            mediaType = MediaType.ofFile(name)
        }

        /// The file as an answer of that time tells of it: not changed later (RFC 9110 §8.8.2.1).
        func asOf(_ now: Int) -> File {
            guard validators.lastModified > now else { return self }
            var file = self
            file.validators.lastModified = now
            return file
        }
    }

    enum LookUp {
        case file(File)
        /// A folder was named without the slash at its end: relative links would miss.
        case folder
        case missing
        case forbidden
        /// As many files are being sent as may be.
        case busy
        /// The system has no descriptor left, or the disk fails.
        case failed(SystemError)
    }

    /// Looks up a request's path in normal form, with its leading slash.
    func lookUp(_ target: ByteSpan) -> LookUp {
        guard var name = Self.relativePath(target) else { return .missing }
        let isIndex = name.isEmpty || name.utf8.last == 0x2F
        if isIndex { name += "index.html" }
        let found = find(name)
        // An index that is a folder is none, and a slash more would not make it one.
        if case .folder = found, isIndex { return .missing }
        return found
    }

    /// The gzip-coded form of a file that lies beside it, under its name and `.gz`.
    ///
    /// One that is older than the file is another content's.
    func gzip(of file: File) -> File? {
        guard case .file(let coded) = find(file.name + ".gz"),
            !coded.stamp.isOlder(than: file.stamp)
        else { return nil }
        return coded
    }

    private func find(_ name: String) -> LookUp {
        guard Descriptors.files.take() else { return .busy }
        let raw = isGuarded ? clinux_open_beneath(root.raw, name) : openStepwise(name)
        guard raw >= 0 else {
            let failure = Self.failure(errno)
            Descriptors.files.giveBack()
            return failure
        }
        let descriptor = FileDescriptor(raw, of: Descriptors.files)
        var info = stat()
        guard fstat(raw, &info) == 0 else { return .failed(SystemError("fstat")) }
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            let stamp = FileStamp(info)
            return .file(File(open.shared(descriptor, stamp), name, stamp))
        case S_IFDIR: return .folder
        default: return .missing
        }
    }

    /// The path below the folder: decoded, without a segment that leads elsewhere or is hidden.
    ///
    /// nil where there is no such file, whatever is on the disk.
    static func relativePath(_ target: ByteSpan) -> String? {
        guard let path = PercentCoding.decode(target.slice(1, target.count)) else { return nil }
        // An encoded slash divides no segments; some systems take a backslash for one.
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x5C }),
            path.utf8.count(where: { $0 == 0x2F }) == target.count(where: { $0 == 0x2F }) - 1
        else { return nil }
        // By bytes: to a String "/" may be the second half of a character.
        let segments = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        for (position, segment) in segments.enumerated() {
            let isHidden = segment.first == 0x2E && !segment.elementsEqual(".well-known".utf8)
            let isEmpty = segment.isEmpty && position < segments.count - 1
            guard !isHidden, !isEmpty else { return nil }
        }
        return path
    }

    /// Segment by segment, no link followed at all.
    private func openStepwise(_ name: String) -> CInt {
        // A slash at the end asks for a folder, which is no file.
        let segments = name.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        var folder = root
        for segment in segments.dropLast() {
            let next = Self.open(segment, in: folder, O_DIRECTORY)
            guard next >= 0 else { return -1 }
            folder = FileDescriptor(next)
        }
        return Self.open(segments.last ?? Substring().utf8, in: folder, O_NONBLOCK | O_NOCTTY)
    }

    private static func open(
        _ segment: Substring.UTF8View,
        in folder: FileDescriptor,
        _ flags: CInt
    ) -> CInt {
        withExtendedLifetime(folder) {
            let name = String(decoding: segment, as: UTF8.self)
            return openat(folder.raw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        }
    }

    private static func failure(_ code: CInt) -> LookUp {
        switch code {
        case EACCES, EPERM: .forbidden
        case EMFILE, ENFILE, ENOMEM, EIO, EAGAIN: .failed(SystemError("open", code: code))
        default: .missing
        }
    }
}
