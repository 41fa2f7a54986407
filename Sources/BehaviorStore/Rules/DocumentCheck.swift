import Behaviors
import JSONCodec
import Targeting

/// What a text has to be to become a revision.
package enum DocumentCheck {
    /// The longest message of a revision, in characters.
    package static let greatestMessage = 1_000

    /// Compiles a document: JSON, a behavior, and rules that can be evaluated.
    ///
    /// - Throws: ``BehaviorStoreError`` with all that is wrong, where it is JSON at all.
    @discardableResult
    static func check(_ bytes: [UInt8]) throws(BehaviorStoreError) -> TargetedBehavior {
        guard bytes.count <= BehaviorDocument.greatestSize else {
            throw .tooMuch("a document has 1 MiB at most")
        }
        do throws(InvalidBehavior) {
            return try TargetedBehavior(json: bytes)
        } catch {
            if let problem = error.problems.first, !error.isJSON { throw .noJSON(problem) }
            throw .invalid(
                error.problems.map { JSONTypeError(pointer: $0.pointer, message: $0.message) }
            )
        }
    }

    /// Checks a message: text without control characters but line feeds and tabs.
    static func check(message: String) throws(BehaviorStoreError) {
        let isPlain = message.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F
        }
        guard message.unicodeScalars.count <= greatestMessage, isPlain else {
            throw .invalid([
                JSONTypeError(
                    pointer: "/message",
                    message: "expected \(greatestMessage) characters at most, no control ones"
                )
            ])
        }
    }
}
