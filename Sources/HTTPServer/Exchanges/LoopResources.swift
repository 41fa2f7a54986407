import System
import CLinux
import Glibc
import HTTP2
import HTTPSyntax
import Logging

/// The resources that the connections of one loop share: buffers, clock, timers, limits, responder
/// and executor.
///
/// Loops share only the following:
///
/// - the listener of a Unix socket, or one passed by another process
/// - the connection count of each address, if it has a limit
/// - the count of waiting bytes of streamed bodies
///
/// `@unchecked Sendable`: all state is used on the loop's thread only, except `inbox`, which has a
/// lock, and `untaken`, an atomic.
///
/// `@exclusivity(unchecked)`: these properties have short accesses without callbacks. Checking them
/// at run time took 40 % of a request's instructions.
final class LoopResources: @unchecked Sendable {
    /// The size of the buffer for reads, and so the most bytes of one read.
    static let readSize = 64 * 1024
    /// The output size above which a connection sends before it serves more requests.
    static let outputLimit = 256 * 1024
    /// The most requests of one connection before the other connections are served.
    static let turn = 64
    /// The largest file that is read into the output; larger files use `sendfile`.
    static let smallFile = 64 * 1024
    /// The most bytes of a file sent in one go, so that one client doesn't delay the others.
    static let fileChunk = 1024 * 1024

    let configuration: HTTPConfiguration
    let logger: Logger
    let counters: LoopCounters
    /// The fields of all responses.
    let defaultFields: DefaultFields
    let outputBudget: OutputBudget
    let poller: EpollPoller
    let parser: RequestParser
    let responder: any Responder
    let inbox: LoopInbox
    let executor: LoopExecutor
    /// The memory pool of the HTTP/2 sessions; nil under a sanitizer, which has to see each block.
    let memory = clinux_is_sanitized() ? nil : HTTP2Memory()
    /// The open connections; nil unless the loop runs.
    ///
    /// A strong reference, which the loop removes at its end.
    @exclusivity(unchecked) var registry: (any ConnectionRegistry)?

    /// The TLS context of new connections; nil for a plain server.
    var tls: TLSContext? {
        didSet { listEnd = tls?.listEnd(after: seconds) ?? .max }
    }
    /// The next time at which an authority of clients has no current revocation list, in seconds
    /// since 1970.
    @exclusivity(unchecked) var listEnd = Int.max
    /// The earliest end of the connections' client certificates, in seconds since 1970.
    @exclusivity(unchecked) var trustEnd = Int.max

    /// The bytes of the last read.
    let readBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopResources.readSize)
    /// The output of the connection that is being served.
    @exclusivity(unchecked) var output = OutputBuffer(capacity: 16 * 1024)

    /// The body bytes that count as progress within the body's timeout.
    let minimumBodyProgress: Int
    /// The bytes that a client has to receive within the write timeout, unless the socket becomes
    /// writable sooner.
    let minimumTaken: Int
    /// The limit of collected body bytes: this loop's share, and at least one body.
    let bodyBudget: Int
    /// The waiting bytes of streamed bodies, over all loops.
    let untaken: UnreadBytes

    @exclusivity(unchecked) var isDraining = false
    @exclusivity(unchecked) var timers: LoopTimers
    @exclusivity(unchecked) private(set) var clock = LoopClock()
    private let dateBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: LoopClock.dateLength)
    @exclusivity(unchecked) private var dateSecond = -1

    /// The HTTP/2 connections to write before the loop sleeps.
    @exclusivity(unchecked) var unwritten: [UInt64] = []
    /// The connections that have used their share of a turn and have more to serve.
    @exclusivity(unchecked) var turns: [UInt64] = []

    init(
        configuration: HTTPConfiguration,
        scheme: Scheme,
        untaken: UnreadBytes,
        responder: any Responder,
        logger: Logger
    ) throws {
        let loops = max(1, configuration.loops)
        self.configuration = configuration
        self.logger = logger
        self.responder = responder
        self.untaken = untaken
        defaultFields = configuration.defaultFields
        outputBudget = OutputBudget(limit: configuration.outputBudget / loops)
        minimumBodyProgress = configuration.bodyTimeout * configuration.minimumRate
        minimumTaken = configuration.writeTimeout * configuration.minimumRate
        bodyBudget = max(configuration.bodyBudget / loops, responder.bodyLimit)
        var limits = LoopCounters.Limits()
        limits.connections = max(1, configuration.connections / loops)
        limits.bodies = bodyBudget
        limits.responses = outputBudget.limit
        counters = LoopCounters(limits, untaken: untaken)
        poller = try EpollPoller()
        parser = RequestParser(limits: configuration.head, scheme: scheme)
        inbox = try LoopInbox()
        executor = LoopExecutor(inbox)
        timers = LoopTimers(configuration)
        guard poller.add(inbox.descriptor, .read, token: LoopInbox.token) else {
            throw SystemError("epoll_ctl")
        }
    }

    deinit {
        readBuffer.deallocate()
        dateBuffer.deallocate()
    }

    /// The system time of this tick, in seconds since 1970.
    var seconds: Int { clock.seconds }
    /// The monotonic time of this tick, in milliseconds.
    var milliseconds: Int { clock.milliseconds }

    /// The Date field's line (RFC 9110 §6.6.1), updated each second.
    @inline(__always)
    var dateLine: ByteSpan { ByteSpan(start: dateBuffer, count: LoopClock.dateLength) }

    /// Reads the clock once for this tick.
    func tick() {
        clock.update()
        guard clock.seconds != dateSecond else { return }
        dateSecond = clock.seconds
        clock.writeDateLine(to: dateBuffer)
    }

    /// Arms a timer in place of the current one; nil disarms it.
    func arm(_ entry: TimerEntry, _ kind: TimerKind?) {
        timers.arm(entry, kind, now: clock.milliseconds)
    }
}
