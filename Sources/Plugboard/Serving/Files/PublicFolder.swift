import Locking
import CLinux
import System
import Glibc
import HTTPSyntax
import HTTPServer

/// A folder whose files are served.
///
/// No path leads outside: neither "..", nor an encoded slash, nor a link. The folder's own path is
/// followed: a release that is swapped in by a link or a rename is served at once.
struct PublicFolder: Sendable {
    let path: String
    private let place: Locked<Place>
    private let accepts: @Sendable (FileIdentity) -> Bool
    private let open = OpenFiles()
    /// Whether the kernel confines lookups to the folder, instead of ``StepwiseLookup``.
    private let asksKernel: Bool

    /// The open folder, and the rejected one that has taken its path.
    private struct Place {
        var root: Root
        var rejected: FileIdentity?
    }

    /// The open folder at the path.
    private struct Root {
        let descriptor: FileDescriptor
        let identity: FileIdentity

        init(_ path: String) throws(SystemError) {
            let raw = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard raw >= 0 else {
                throw SystemError("can't serve the folder \(path)")
            }
            descriptor = FileDescriptor(raw)
            var info = stat()
            fstat(raw, &info)
            identity = FileIdentity(info)
        }
    }

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - path: the folder's path.
    ///   - asksKernel: whether to use the kernel's lookup beneath a folder, if it has one.
    ///   - accepts: decides whether a folder that is swapped in may be served.
    /// - Throws: `SystemError` if the folder is missing or unreadable.
    init(
        path: String,
        asksKernel: Bool = true,
        accepts: @escaping @Sendable (FileIdentity) -> Bool = { _ in true }
    ) throws {
        let root = try Root(path)
        self.path = path
        self.accepts = accepts
        place = Locked(Place(root: root))
        guard asksKernel else {
            self.asksKernel = false
            return
        }
        let probe = clinux_open_beneath(root.descriptor.raw, ".")
        self.asksKernel = probe >= 0
        if probe >= 0 {
            close(probe)
        } else if errno != ENOSYS, errno != EPERM {
            throw SystemError("can't open files in the folder \(path)")
        }
    }

    /// Follows the folder's path, until the task is cancelled.
    func watch() async {
        for await _ in Watcher.shared.looks(at: [.path(path)]) { follow() }
    }

    /// Opens the folder at the path, unless it is already open.
    ///
    /// Returns the open folder. Without a folder at the path the previous one stays: between the
    /// two renames of a swap the path is free. It also stays if the folder at the path is rejected:
    /// a link to a folder with private files would publish them.
    @discardableResult
    private func follow() -> FileDescriptor {
        place.withLock { place in
            let identity = FileIdentity(path)
            if identity != place.root.identity, identity != place.rejected,
                let next = try? Root(path)
            {
                if accepts(next.identity) {
                    place = Place(root: next)
                } else {
                    place.rejected = next.identity
                }
            }
            return place.root.descriptor
        }
    }

    /// An open file of the folder, and its description.
    struct File {
        let descriptor: FileDescriptor
        /// The folder that contains it, so that a `.gz` file is from the same release.
        fileprivate let root: FileDescriptor
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

        fileprivate init(
            _ descriptor: FileDescriptor,
            in root: FileDescriptor,
            _ name: String,
            _ stamp: FileStamp
        ) {
            self.descriptor = descriptor
            self.root = root
            self.name = name
            self.stamp = stamp
            validators = Validators(etag: stamp.etag, lastModified: stamp.seconds)
            mediaType = MediaType.ofFile(name)
        }

        /// The file with its date limited to the response's: `Last-Modified` is never later (RFC
        /// 9110 §8.8.2.1).
        func asOf(_ now: Int) -> File {
            guard validators.lastModified > now else { return self }
            var file = self
            file.validators.lastModified = now
            return file
        }
    }

    enum LookupResult {
        case file(File)
        /// A path of a folder without the final slash, which would break relative links.
        case folder
        case missing
        case forbidden
        /// The limit of open files is reached.
        case busy
        /// The system has no free descriptors, or the disk fails.
        case failed(SystemError)
    }

    /// Looks up a request's path in normal form, with its leading slash.
    func lookUp(_ target: ByteSpan) -> LookupResult {
        guard var name = Self.relativePath(target) else { return .missing }
        let isIndex = name.isEmpty || name.utf8.last == 0x2F
        if isIndex { name += "index.html" }
        var root = place.withLock { $0.root.descriptor }
        var found = find(name, in: root)
        // A deployment may have swapped the folder just now, and deleted the previous files.
        while case .missing = found, case let next = follow(), next !== root {
            root = next
            found = find(name, in: root)
        }
        // A folder named index.html isn't a page, and a redirect with a slash wouldn't help.
        if case .folder = found, isIndex { return .missing }
        return found
    }

    /// Returns the `.gz` file beside a file.
    ///
    /// One that is older than the file has previous content, and is ignored.
    func gzip(of file: File) -> File? {
        guard case .file(let coded) = find(file.name + ".gz", in: file.root),
            !coded.stamp.isOlder(than: file.stamp)
        else { return nil }
        return coded
    }

    private func find(_ name: String, in root: FileDescriptor) -> LookupResult {
        guard Descriptors.files.take() else { return .busy }
        let raw =
            asksKernel ? clinux_open_beneath(root.raw, name) : StepwiseLookup.open(name, in: root)
        guard raw >= 0 else {
            let failure = Self.failure(errno)
            Descriptors.files.returnDescriptors()
            return failure
        }
        let descriptor = FileDescriptor(raw, of: Descriptors.files)
        var info = stat()
        guard fstat(raw, &info) == 0 else { return .failed(SystemError("fstat")) }
        switch info.st_mode & S_IFMT {
        case S_IFREG:
            let stamp = FileStamp(info)
            return .file(File(open.shared(descriptor, stamp), in: root, name, stamp))
        case S_IFDIR: return .folder
        default: return .missing
        }
    }

    /// Returns the decoded path below the folder.
    ///
    /// Returns nil for a path that is never served: with a segment that is hidden or leads
    /// elsewhere.
    static func relativePath(_ target: ByteSpan) -> String? {
        guard let path = PercentCoding.decode(target.slice(1, target.count)) else { return nil }
        // An encoded slash separates no segments; some systems treat a backslash as a separator.
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x5C }),
            path.utf8.count(where: { $0 == 0x2F }) == target.count(where: { $0 == 0x2F }) - 1
        else { return nil }
        // Bytes are compared, since in a String "/" may be a part of a longer character.
        let segments = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        for (position, segment) in segments.enumerated() {
            let isHidden = segment.first == 0x2E && !segment.elementsEqual(".well-known".utf8)
            let isEmpty = segment.isEmpty && position < segments.count - 1
            guard !isHidden, !isEmpty else { return nil }
        }
        return path
    }

    private static func failure(_ code: CInt) -> LookupResult {
        switch code {
        case EACCES, EPERM: .forbidden
        case EMFILE, ENFILE, ENOMEM, EIO, EAGAIN: .failed(SystemError("open", code: code))
        default: .missing
        }
    }
}
