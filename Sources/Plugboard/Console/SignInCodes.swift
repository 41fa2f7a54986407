import Digests
import Glibc
import HTTPSyntax
import Locking

/// The code of the console's sign-in link: 192 random bits, valid once and for ten minutes.
///
/// The server stores its digest only. A new code replaces the previous one.
final class SignInCodes: Sendable {
    /// The time that a code is valid, in seconds.
    static let lifetime = 600

    private struct Code {
        let digest: [UInt8]
        /// The end in seconds on `clock`.
        let end: Int
    }

    private let current = Locked<Code?>(nil)
    private let clock: @Sendable () -> Int

    /// Creates the codes, by a monotonic clock in seconds.
    init(clock: @escaping @Sendable () -> Int = SignInCodes.secondsSinceBoot) { self.clock = clock }

    /// The seconds since the machine started, including those in which it slept.
    static func secondsSinceBoot() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// Generates a code, which replaces the previous one.
    func make() -> String {
        let text = RandomText.make(bytes: 24)
        let code = Code(digest: Self.digest(text), end: clock() + Self.lifetime)
        current.withLock { $0 = code }
        return text
    }

    /// Uses up the code if a text is it; returns whether it was.
    func redeem(_ text: String) -> Bool {
        let digest = Self.digest(text)
        let now = clock()
        return current.withLock { current in
            // Also compares without a code, so that the duration reveals nothing.
            let isEqual = Digest.areEqual(digest, current?.digest ?? Self.nobody)
            guard let code = current, isEqual else { return false }
            current = nil
            return now < code.end
        }
    }

    private static let nobody = [UInt8](repeating: 0, count: Digest.length)

    private static func digest(_ text: String) -> [UInt8] {
        Array(text.utf8).withUnsafeBufferPointer(Digest.sha256)
    }
}

/// Secrets of the system's random generator.
enum RandomText {
    /// Returns that many random bytes in base64url.
    static func make(bytes count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode(
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        )
    }
}
