import GuardedBytes
import Testing

@testable import HTTPSyntax

/// Request heads as texts, and how they are parsed.
protocol RequestHeads {}

extension RequestHeads {
    /// Feeds a request in every way it may arrive: whole, and cut at each byte; always flush against
    /// an unreadable page.
    func verdict(
        _ bytes: [UInt8],
        limits: HeadLimits = HeadLimits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> RequestParser.Verdict {
        let parser = RequestParser(limits: limits)
        var early: RequestParser.Verdict?
        for count in 0..<bytes.count {
            let guarded = GuardedBytes(bytes[..<count])
            let verdict = parser.parse(guarded.span)
            if let early {
                #expect(verdict == early, "a refusal stands", sourceLocation: sourceLocation)
            } else if case .failed = verdict {
                early = verdict
            } else if case .complete = verdict {
                // What follows the head is another request's or the body's.
                early = verdict
            }
        }
        let whole = GuardedBytes(bytes)
        let verdict = parser.parse(whole.span)
        if let early {
            #expect(
                verdict == early,
                "the whole agrees with its parts",
                sourceLocation: sourceLocation
            )
        }
        return verdict
    }

    func status(_ text: String, limits: HeadLimits = HeadLimits()) -> UInt16? {
        switch verdict(Array(text.utf8), limits: limits) {
        case .complete: 200
        case .partial: nil
        case .failed(let error): error.status
        }
    }

    /// Parses a complete head and hands it to `body`.
    func withHead(_ text: String, _ body: (RequestHead) -> Void) {
        let bytes = GuardedBytes(Array(text.utf8))
        let parser = RequestParser()
        let verdict = parser.parse(bytes.span)
        #expect(verdict == .complete)
        guard verdict == .complete else { return }
        body(parser.head)
    }
}
