import HTTPSyntax
package import Tracing

/// An error's text without the secrets of tokens, in place of the error.
private struct MaskedError: Error, CustomStringConvertible, CustomDebugStringConvertible {
    let description: String
    var debugDescription: String { description }
}

extension Span {
    /// Records an error without the secrets of tokens in its texts.
    ///
    /// A tracer records an error's description, and everyone who reads the traces could use a
    /// token in it. An error without secrets is recorded as it is.
    package func recordMaskedError(_ error: any Error) {
        let (text, debugText) = ("\(error)", String(reflecting: error))
        let masked = TokenMask.masked(text)
        guard masked != text || TokenMask.masked(debugText) != debugText else {
            return recordError(error)
        }
        var attributes = SpanAttributes()
        // OpenTelemetry's name of the type, which the masked error would change.
        attributes["exception.type"] = String(describing: type(of: error))
        recordError(MaskedError(description: masked), attributes: attributes)
    }
}
