import Glibc
import Testing

@testable import HTTPServer

@Suite("The poller (epoll(7))")
struct EpollPollerTests {
    /// A poller of one end of a socket pair.
    private final class Polled {
        private let poller: EpollPoller
        let sockets: SocketPair
        static let token: UInt64 = 7

        init(_ interest: EpollPoller.Interest) throws {
            poller = try EpollPoller()
            sockets = try SocketPair()
            #expect(add(interest))
        }

        deinit {
            close(sockets.server)
            close(sockets.client)
        }

        func add(_ interest: EpollPoller.Interest, _ descriptor: CInt? = nil) -> Bool {
            poller.add(descriptor ?? sockets.server, interest, token: Self.token)
        }

        func modify(_ interest: EpollPoller.Interest) {
            poller.modify(sockets.server, interest, token: Self.token)
        }

        func remove() { poller.remove(sockets.server) }

        /// The readiness of the socket now; nil if there is no event.
        func event() -> EpollPoller.Readiness? {
            guard poller.wait(milliseconds: 0) == 1 else { return nil }
            let (token, readiness) = poller.event(0)
            return token == Self.token ? readiness : nil
        }
    }

    @Test("bytes are reported until they are read, with the descriptor's token")
    func level() throws {
        let polled = try Polled(.read)
        #expect(polled.event()?.rawValue == nil)
        polled.sockets.send("a")
        for _ in 0..<3 { #expect(polled.event()?.isReadable == true) }
        var byte: UInt8 = 0
        #expect(recv(polled.sockets.server, &byte, 1, 0) == 1)
        #expect(polled.event()?.rawValue == nil)
    }

    @Test("edge-triggered bytes are reported once, and again when the interest is set (EPOLLET)")
    func edge() throws {
        let polled = try Polled([.read, .once])
        polled.sockets.send("a")
        #expect(polled.event()?.isReadable == true)
        #expect(polled.event()?.rawValue == nil)
        polled.modify([.read, .once])
        #expect(polled.event()?.isReadable == true)
        polled.sockets.send("b")
        #expect(polled.event()?.isReadable == true)
    }

    @Test("a half-close is reported even if bytes aren't read (EPOLLRDHUP)")
    func hangUp() throws {
        let polled = try Polled(.hangUp)
        polled.sockets.send("a")
        #expect(polled.event()?.rawValue == nil)
        shutdown(polled.sockets.client, CInt(SHUT_WR))
        let event = polled.event()
        #expect(event?.isHungUp == true)
        #expect(event?.isBroken == false)
    }

    @Test("the end of both directions is reported with any interest (EPOLLHUP)")
    func broken() throws {
        let polled = try Polled([])
        #expect(polled.event()?.rawValue == nil)
        shutdown(polled.sockets.client, CInt(SHUT_RDWR))
        #expect(polled.event()?.isBroken == true)
    }

    @Test("a full socket is writable after its client has read")
    func writable() throws {
        let polled = try Polled(.write)
        #expect(polled.event()?.isWritable == true)
        let bytes = [UInt8](repeating: 1, count: 65_536)
        while send(polled.sockets.server, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0 {}
        #expect(polled.event()?.rawValue == nil)
        while polled.sockets.received()?.isEmpty == false {}
        #expect(polled.event()?.isWritable == true)
    }

    @Test("a removed descriptor isn't reported; an invalid and a duplicate one are rejected")
    func remove() throws {
        let polled = try Polled(.read)
        polled.sockets.send("a")
        polled.remove()
        #expect(polled.event()?.rawValue == nil)
        #expect(!polled.add(.read, -1))
        #expect(polled.add(.read))
        #expect(!polled.add(.read))
    }
}
