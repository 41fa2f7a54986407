import Behaviors
import JSONCodec
import Targeting

/// The checks of a revision's text and message.
package enum DocumentCheck {
    /// The longest message of a revision, in characters.
    package static let maximumMessage = 1_000

    /// Compiles a document: valid JSON, a valid behavior, and rules that can be evaluated.
    ///
    /// - Throws: ``BehaviorStoreError`` with all problems, or with the first one if it isn't JSON.
    @discardableResult
    static func check(_ bytes: [UInt8]) throws(BehaviorStoreError) -> TargetedBehavior {
        guard bytes.count <= BehaviorDocument.maximumSize else {
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

    /// Checks a message: text without control characters except line feeds and tabs.
    static func check(message: String) throws(BehaviorStoreError) {
        let isPlain = message.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F
        }
        guard message.unicodeScalars.count <= maximumMessage, isPlain else {
            throw .invalid([
                JSONTypeError(
                    pointer: "/message",
                    message: "expected \(maximumMessage) characters at most, no control ones"
                )
            ])
        }
    }
}
