import Glibc
import Testing

@testable import HTTPServer

@Suite("Messages to a loop from other threads")
struct LoopInboxTests {
    private func isWaking(_ inbox: LoopInbox) -> Bool {
        var event = pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) == 1
    }

    private func streams(_ inbox: LoopInbox) -> [Int32?] {
        var streams: [Int32?] = []
        inbox.take { message in
            if case .resumeUpload(let exchange) = message { streams.append(exchange.stream) }
        }
        return streams
    }

    private func upload(_ stream: Int32) -> LoopInbox.Message {
        .resumeUpload(ExchangeID(connection: 1, stream: stream))
    }

    @Test("messages are taken once, in the order of posting")
    func order() throws {
        let inbox = try LoopInbox()
        #expect(streams(inbox) == [])
        for stream in 1...3 { #expect(inbox.post(upload(Int32(stream)))) }
        #expect(streams(inbox) == [1, 2, 3])
        #expect(streams(inbox) == [])
    }

    @Test("the first message wakes the loop, and so does the first one after a take")
    func wakes() throws {
        let inbox = try LoopInbox()
        #expect(!isWaking(inbox))
        for _ in 0..<2 {
            _ = inbox.post(upload(1))
            _ = inbox.post(upload(3))
            #expect(isWaking(inbox))
            inbox.acknowledge()
            #expect(!isWaking(inbox))
            #expect(streams(inbox) == [1, 3])
        }
    }

    @Test("messages posted while others are taken are taken in the next turn")
    func nested() throws {
        let inbox = try LoopInbox()
        _ = inbox.post(.drain)
        inbox.take { _ in _ = inbox.post(upload(5)) }
        #expect(isWaking(inbox))
        #expect(streams(inbox) == [5])
    }

    @Test("a closed inbox rejects messages")
    func closed() throws {
        let inbox = try LoopInbox()
        inbox.open(pthread_self())
        #expect(inbox.isOpen(for: pthread_self()))
        #expect(inbox.close().isEmpty)
        #expect(!inbox.isOpen(for: pthread_self()))
        #expect(!inbox.post(.drain))
    }
}
