import Testing

extension Conformance {
    @Suite("Transfer-Encoding")
    struct TransferEncodingTests {
        @Test("Transfer-Encoding", arguments: cases)
        func holds(_ row: Case) throws { try row.run() }

        static let cases = served + notFinal + malformed + unknown + beside + version10 + leftToUs

        private static let coded = "c\r\n\(ada)\r\n0\r\n\r\n"

        private static func encoded(_ fields: String...) -> Wire {
            request(["POST /photos/42/like HTTP/1.1", host, json] + fields, body: coded)
        }

        private static let served = rows(
            "RFC 9112 §6.1",
            .status(200),
            [
                "A chunked body is read": encoded("Transfer-Encoding: chunked"),
                "A chunked body that comes byte by byte is read":
                    encoded("Transfer-Encoding: chunked").paced(1),
                "A coding has no case": encoded("Transfer-Encoding: Chunked"),
                "A coding in capitals is the same coding": encoded("TRANSFER-ENCODING: CHUNKED"),
                "Spaces around the coding are not the coding":
                    encoded("Transfer-Encoding:   chunked  "),
                "A tab before the coding is not the coding":
                    encoded("Transfer-Encoding:\tchunked"),
                "No space before the coding is needed": encoded("Transfer-Encoding:chunked"),
                "TE is not Transfer-Encoding": get("/hello.txt", "TE: chunked"),
                "TE: trailers is no framing": get("/hello.txt", "TE: trailers", "Connection: TE"),
            ]
        )

        private static let notFinal = rows(
            "RFC 9112 §6.3",
            .refused,
            [
                "A coding that is not chunked is refused": encoded("Transfer-Encoding: gzip"),
                "The old identity is refused": encoded("Transfer-Encoding: identity"),
                "A name that ends in chunked is refused": encoded("Transfer-Encoding: xchunked"),
                "A name that starts with chunked is refused": encoded(
                    "Transfer-Encoding: chunkedx"
                ),
                "A part of the name is refused": encoded("Transfer-Encoding: chunk"),
                "Chunked before gzip is refused": encoded("Transfer-Encoding: chunked, gzip"),
                "Chunked before identity is refused":
                    encoded("Transfer-Encoding: chunked, identity"),
                "Chunked before an unknown coding is refused":
                    encoded("Transfer-Encoding: chunked, cow"),
                "Chunked before identity on a second line is refused":
                    encoded("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
                "Chunked before gzip on a line far apart is refused":
                    encoded("Transfer-Encoding: chunked", "X: y", "transfer-encoding: gzip"),
                "Chunked twice is refused": encoded("Transfer-Encoding: chunked, chunked"),
                "Chunked twice without space is refused":
                    encoded("Transfer-Encoding: chunked,chunked"),
                "Chunked twice on two lines is refused":
                    encoded("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
                "Chunked twice in different case is refused":
                    encoded("Transfer-Encoding: chunked", "Transfer-Encoding: CHUNKED"),
            ]
        )

        private static let malformed = rows(
            "RFC 9112 §6.1",
            .refused,
            [
                "An empty coding is refused": encoded("Transfer-Encoding:"),
                "A blank coding is refused": encoded("Transfer-Encoding: \t"),
                "A quoted coding is refused": encoded("Transfer-Encoding: \"chunked\""),
                "A coding in apostrophes is refused": encoded("Transfer-Encoding: 'chunked'"),
                "Two codings between spaces are refused":
                    encoded("Transfer-Encoding: gzip chunked"),
                "A space inside the coding is refused": encoded("Transfer-Encoding: chu nked"),
                "A vertical tab before the coding is refused":
                    encoded("Transfer-Encoding: \u{0B}chunked"),
                "A vertical tab behind the coding is refused":
                    encoded("Transfer-Encoding: chunked\u{0B}"),
                "A form feed behind the coding is refused":
                    encoded("Transfer-Encoding: chunked\u{0C}"),
                "A NUL behind the coding is refused": encoded("Transfer-Encoding: chunked\0"),
                "A bare CR behind the coding is refused": encoded("Transfer-Encoding: chunked\r"),
                "A bare CR before the coding is refused": encoded("Transfer-Encoding: \rchunked"),
                "A no-break space before the coding is refused":
                    encoded("Transfer-Encoding: \u{A0}chunked"),
                "A next-line octet behind the coding is refused":
                    encoded("Transfer-Encoding: chunked\u{85}"),
                "An octet above ASCII around the coding is refused":
                    encoded("Transfer-Encoding: \u{FF}chunked\u{FF}"),
                "An octet above ASCII in the coding is refused":
                    encoded("Transfer-Encoding: ch\u{FC}nked"),
                "A Kelvin sign is no k":
                    encoded("Transfer-Encoding: chun\u{E2}\u{84}\u{AA}ed"),
                "A semicolon behind the coding is refused": encoded("Transfer-Encoding: chunked;"),
                "An equals sign before the coding is refused":
                    encoded("Transfer-Encoding: =chunked"),
                "A colon before the coding is refused": encoded("Transfer-Encoding:: chunked"),
                "A coding folded before its value is refused":
                    encoded("Transfer-Encoding:", " chunked"),
                "A coding folded by a tab is refused": encoded("Transfer-Encoding:", "\tchunked"),
                "A coding folded inside is refused": encoded("Transfer-Encoding: chu", " nked"),
                "A field name broken across lines is refused":
                    encoded("Transfer-", "Encoding: chunked"),
                "A space before the colon is refused": encoded("Transfer-Encoding : chunked"),
                "A tab before the colon is refused": encoded("Transfer-Encoding\t: chunked"),
                "A space before the field name is refused": encoded(" Transfer-Encoding: chunked"),
                "A NUL in the field name is refused": encoded("Transfer\0-Encoding: chunked"),
            ]
        )

        private static let unknown =
            rows(
                "RFC 9112 §6.1",
                .status(501, closes: true),
                [
                    "A coding below chunked that is unknown is not implemented":
                        encoded("Transfer-Encoding: cow, chunked"),
                    "Gzip below chunked is not implemented":
                        encoded("Transfer-Encoding: gzip, chunked"),
                    "Gzip below chunked on two lines is not implemented":
                        encoded("Transfer-Encoding: gzip", "Transfer-Encoding: chunked"),
                    "Deflate and gzip below chunked are not implemented":
                        encoded("Transfer-Encoding: deflate, gzip, chunked"),
                ]
            )
            + rows(
                "RFC 9112 §7",
                .finals([[400, 501]], .closed),
                [
                    "Identity below chunked is refused":
                        encoded("Transfer-Encoding: identity, chunked"),
                    "A parameter of chunked is refused":
                        encoded("Transfer-Encoding: chunked;q=1"),
                    "A quoted comma hides no coding":
                        encoded("Transfer-Encoding: cow;a=\",\", chunked"),
                    "A quoted chunked is no coding":
                        encoded("Transfer-Encoding: cow;a=\", chunked\""),
                ]
            )

        private static let beside = rows(
            "RFC 9112 §6.1",
            .refused,
            [
                "A length beside chunked is refused":
                    encoded("Transfer-Encoding: chunked", "Content-Length: 22"),
                "Chunked beside a length is refused":
                    encoded("Content-Length: 22", "Transfer-Encoding: chunked"),
                "A zero beside chunked is refused":
                    encoded("Transfer-Encoding: chunked", "Content-Length: 0"),
                "An invalid length beside chunked is refused":
                    encoded("Transfer-Encoding: chunked", "Content-Length: abc"),
                "A length beside chunked on GET is refused":
                    request(
                        "GET /hello.txt HTTP/1.1",
                        host,
                        "Content-Length: 5",
                        "Transfer-Encoding: chunked",
                        body: "0\r\n\r\n"
                    ),
                "A length beside gzip is refused":
                    encoded("Transfer-Encoding: gzip", "Content-Length: 22"),
                "A length beside chunked is refused byte by byte":
                    encoded("Transfer-Encoding: chunked", "Content-Length: 22").paced(1),
            ]
        )

        private static func old(_ fields: String...) -> Wire {
            request(["POST /photos/42/like HTTP/1.0", json] + fields, body: coded)
        }

        private static let version10 = rows(
            "RFC 9112 §6.1",
            .refused,
            [
                "HTTP/1.0 has no chunked": old("Transfer-Encoding: chunked"),
                "HTTP/1.0 with keep-alive has no chunked":
                    old("Connection: keep-alive", "Transfer-Encoding: chunked"),
                "HTTP/1.0 with a length has no chunked":
                    old("Content-Length: 22", "Transfer-Encoding: chunked"),
                "HTTP/1.0 has no other coding": old("Transfer-Encoding: gzip"),
            ]
        )

        private static let leftToUs =
            rows(
                "RFC 9110 §5.6.1",
                .servedOrRefused(),
                [
                    // Empty list members are to be ignored; who refuses them is never out of step.
                    "An empty member before chunked is ignored or refused":
                        encoded("Transfer-Encoding: ,chunked"),
                    "An empty member behind chunked is ignored or refused":
                        encoded("Transfer-Encoding: chunked,"),
                    "Empty members around chunked are ignored or refused":
                        encoded("Transfer-Encoding: , ,chunked, ,"),
                    "An empty line before chunked is ignored or refused":
                        encoded("Transfer-Encoding:", "Transfer-Encoding: chunked"),
                ]
            )
            + rows(
                "RFC 9110 §9.3.1",
                .servedOrRefused(),
                [
                    "A chunked GET without content is served or refused":
                        request(
                            "GET /hello.txt HTTP/1.1",
                            host,
                            "Transfer-Encoding: chunked",
                            body: "0\r\n\r\n"
                        )
                ]
            )
    }
}
