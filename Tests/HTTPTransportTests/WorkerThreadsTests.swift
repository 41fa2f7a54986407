#if canImport(Glibc) || canImport(Musl)
#if canImport(Glibc)
import Glibc
#else
import Musl
#endif
import Testing

@testable import HTTPTransport

@Suite("Threads for blocking work", .timeLimit(.minutes(1)))
struct WorkerThreadsTests {
    @Test("more work than threads is completed", arguments: [Int.min, 1, 3])
    func all(maximumCount: Int) async {
        let threads = WorkerThreads(maximumCount: maximumCount)
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<100 {
            let isAccepted = threads.run { continuation.yield(number) }
            #expect(isAccepted)
        }
        var seen: [Int] = []
        for await number in numbers.prefix(100) { seen.append(number) }
        #expect(seen.sorted() == Array(0..<100))
        // One thread runs it in order.
        if maximumCount <= 1 { #expect(seen == Array(0..<100)) }
    }

    @Test("blocked work doesn't delay other work while a thread is free")
    func blocked() async {
        let threads = WorkerThreads(maximumCount: 2)
        let (steps, continuation) = AsyncStream.makeStream(of: String.self)
        let gate = Gate()
        _ = threads.run {
            gate.wait()
            continuation.yield("first")
        }
        _ = threads.run {
            continuation.yield("second")
            gate.open()
        }
        var seen: [String] = []
        for await step in steps.prefix(2) { seen.append(step) }
        #expect(seen == ["second", "first"])
    }
}

/// Blocks a thread until another one opens it.
private final class Gate: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var pipes: [Int32] = [0, 0]
        pipe(&pipes)
        ends = (pipes[0], pipes[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func wait() {
        var byte: UInt8 = 0
        _ = read(ends.read, &byte, 1)
    }

    func open() {
        var byte: UInt8 = 0
        _ = write(ends.write, &byte, 1)
    }
}
#endif
