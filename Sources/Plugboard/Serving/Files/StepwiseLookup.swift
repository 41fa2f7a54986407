import Glibc
import System

/// Opens a path beneath a folder segment by segment, with the rules of `openat2` and
/// `RESOLVE_BENEATH`.
///
/// Some systems have no `openat2`: Linux before 5.6, and services and containers with a filter of
/// system calls. systemd's `DynamicUser=` and `RestrictSUIDSGID=` forbid it. Each folder on the way
/// stays open, so ".." in a link leads back to the folder that the path came from, also during
/// renames, and never above the root.
struct StepwiseLookup {
    /// The most links in a path, as in Linux.
    private static let maximumLinks = 40

    /// The open folders on the way, the root first.
    private var folders: [FileDescriptor]
    /// The segments to open, the next one last.
    ///
    /// Names needn't be UTF-8.
    private var pending: [ArraySlice<CChar>] = []
    private var links = 0

    /// Linux's `O_PATH`: needs no permission to list a folder on the way, as the kernel's own lookup.
    private static let path: CInt = 0o10000000

    /// Opens a path for reading; returns -1 with `errno` if it fails.
    static func open(_ path: String, in root: FileDescriptor) -> CInt {
        var lookup = StepwiseLookup(folders: [root])
        lookup.push(Array(path.utf8CString.dropLast()))
        return lookup.run()
    }

    private init(folders: [FileDescriptor]) { self.folders = folders }

    private mutating func push(_ path: [CChar]) {
        pending += path.split(separator: 0x2F, omittingEmptySubsequences: false).reversed()
    }

    private mutating func run() -> CInt {
        while let segment = pending.popLast() {
            switch segment {
            case [], [0x2E]: continue
            case [0x2E, 0x2E]:
                guard folders.count > 1 else { return Self.fail(EXDEV) }
                folders.removeLast()
            default:
                // A slash or a dot at the end requires a folder, so the segment isn't the last.
                let isLast = pending.isEmpty
                let name = Array(segment) + [0]
                let opened = open(name, isLast ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY | Self.path)
                if opened < 0 {
                    let code = errno
                    // A link is ELOOP; in place of a folder it is ENOTDIR.
                    guard code == ELOOP || code == ENOTDIR, let target = target(of: name) else {
                        return Self.fail(code)
                    }
                    links += 1
                    guard links <= Self.maximumLinks else { return Self.fail(ELOOP) }
                    guard target.first != 0x2F else { return Self.fail(EXDEV) }
                    push(target)
                } else if isLast {
                    return opened
                } else {
                    folders.append(FileDescriptor(opened))
                }
            }
        }
        return open([0x2E, 0], O_DIRECTORY)
    }

    private func open(_ name: [CChar], _ flags: CInt) -> CInt {
        withExtendedLifetime(folders) {
            openat(folders[folders.count - 1].raw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        }
    }

    /// Returns a link's target; nil if the name isn't a link.
    private func target(of name: [CChar]) -> [CChar]? {
        withExtendedLifetime(folders) {
            let folder = folders[folders.count - 1].raw
            let target = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = max(0, readlinkat(folder, name, start, buffer.count))
            }
            // A target that fills the buffer may be cut; a path of that length can't be opened.
            return target.isEmpty || target.count == Int(PATH_MAX) ? nil : target
        }
    }

    private static func fail(_ code: CInt) -> CInt {
        errno = code
        return -1
    }
}
