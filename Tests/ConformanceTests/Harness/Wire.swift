/// The bytes that a case sends, step by step.
///
/// A string literal is sent as it stands, one byte per scalar (U+0000 to U+00FF), so that a table can spell
/// any octet: `"\u{FF}"` is the byte FF, and nothing adds a CRLF that the reader does not see.
struct Wire: Sendable, ExpressibleByStringInterpolation {
    enum Step: Sendable {
        /// Bytes, in writes of `pace` bytes each; `nil` is one write.
        case send([UInt8], pace: Int?)
        /// Read until there are as many responses, interim or final, as there were such steps.
        case awaitResponse
        /// Bytes that a client would send only if the server has not announced to close.
        case sendUnlessClosing([UInt8])
        /// End of what the client has to say; it still listens.
        case halfClose
    }

    private(set) var steps: [Step]

    init(stringLiteral text: String) {
        steps = [.send(octets(text), pace: nil)]
    }

    init(_ bytes: [UInt8]) {
        steps = [.send(bytes, pace: nil)]
    }

    private init(steps: [Step]) {
        self.steps = steps
    }

    static func + (first: Wire, second: Wire) -> Wire {
        Wire(steps: first.steps + second.steps)
    }

    static let awaitResponse = Wire(steps: [.awaitResponse])
    static let halfClose = Wire(steps: [.halfClose])

    static func unlessClosing(_ text: String) -> Wire {
        Wire(steps: [.sendUnlessClosing(octets(text))])
    }

    /// The same bytes in writes of `count`, each followed by a chance for the server to read it alone.
    func paced(_ count: Int) -> Wire {
        Wire(steps: [.send(bytes, pace: count)])
    }

    /// The same bytes in one write: two requests that must meet in the server's buffer.
    var joined: Wire { Wire(bytes) }

    var bytes: [UInt8] {
        steps.flatMap { step -> [UInt8] in
            switch step {
            case .send(let bytes, _), .sendUnlessClosing(let bytes): bytes
            case .awaitResponse, .halfClose: []
            }
        }
    }

    /// The first line that is not empty, as far as it was ever sent.
    var requestLine: String {
        let sent = bytes.drop { $0 == 0x0D || $0 == 0x0A }
        return latin1(sent.prefix { $0 != 0x0D && $0 != 0x0A })
    }
}

/// One byte for each scalar of `text`.
func octets(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
        precondition(scalar.value < 256, "spell octets, not characters: \(scalar)")
        return UInt8(scalar.value)
    }
}

/// The inverse of `octets`: no byte sequence is invalid.
func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
}

/// Lines with their CRLFs, the empty line, then `body` as it is.
func request(_ lines: [String], body: String = "") -> Wire {
    Wire(octets(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body))
}

func request(_ lines: String..., body: String = "") -> Wire {
    request(lines, body: body)
}

/// A GET with a Host and what `fields` add.
func get(_ target: String, _ fields: String...) -> Wire {
    request(["GET \(target) HTTP/1.1", host] + fields)
}

/// A request of any method with a Host; a body needs its own framing field.
func send(_ method: String, _ target: String, _ fields: String..., body: String = "") -> Wire {
    request(["\(method) \(target) HTTP/1.1", host] + fields, body: body)
}

/// A POST of JSON to the resource that takes an optional body; a body needs its own framing field.
func like(_ fields: String..., body: String = "") -> Wire {
    request(["POST /photos/42/like HTTP/1.1", host, json] + fields, body: body)
}

/// The like, chunked: `coded` is everything after the head, exactly.
func chunked(_ coded: String) -> Wire {
    request("POST /photos/42/like HTTP/1.1", host, json, "Transfer-Encoding: chunked", body: coded)
}

let host = "Host: plugboard.test"
let json = "Content-Type: application/json"

/// A valid body of the like: 12 octets, `c` in hexadecimal.
let ada = #"{"user":"a"}"#
