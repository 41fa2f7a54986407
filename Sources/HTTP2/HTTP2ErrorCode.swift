import HTTPSyntax

/// Error codes (RFC 9113 §7).
package enum HTTP2ErrorCode: UInt32, Sendable {
    case noError, protocolError, internalError, flowControlError, settingsTimeout, streamClosed
    case frameSizeError, refusedStream, cancel, compressionError, connectError, enhanceYourCalm
    case inadequateSecurity, http11Required
}
