import Telemetry
import HTTPSyntax
import Testing

@Suite("Metrics as text (OpenMetrics 1.0)")
struct MetricsTextTests {
    private let counter = MetricFamily(
        "likes",
        .counter,
        help: "Likes.",
        [.init([("photo", "42")], 3)]
    )

    @Test("a counter's family has no suffix, its samples have _total")
    func counters() {
        #expect(
            MetricsText.openMetrics.render([counter]) == """
                # HELP likes Likes.
                # TYPE likes counter
                likes_total{photo="42"} 3
                # EOF

                """
        )
    }

    @Test("the older format's family has its samples' name, and no end marker")
    func prometheus() {
        #expect(
            MetricsText.prometheus.render([counter]) == """
                # HELP likes_total Likes.
                # TYPE likes_total counter
                likes_total{photo="42"} 3

                """
        )
    }

    @Test("a histogram's buckets are cumulative")
    func histograms() {
        let values = MetricFamily.Distribution(bounds: [0.005, 1], counts: [2, 0, 1], sum: 3.25)
        let family = MetricFamily(
            "wait_seconds",
            .histogram,
            unit: "seconds",
            help: "Waiting.",
            [.init([("route", "/")], values)]
        )
        #expect(
            MetricsText.openMetrics.render([family]) == """
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                # UNIT wait_seconds seconds
                wait_seconds_bucket{route="/",le="0.005"} 2
                wait_seconds_bucket{route="/",le="1"} 2
                wait_seconds_bucket{route="/",le="+Inf"} 3
                wait_seconds_count{route="/"} 3
                wait_seconds_sum{route="/"} 3.25
                # EOF

                """
        )
    }

    @Test("an info is a gauge in the older format")
    func infos() {
        let family = MetricFamily("build", .info, help: "It.", [.init([("version", "1")], 1)])
        let open = MetricsText.openMetrics.render([family])
        #expect(open.contains("# TYPE build info\nbuild_info{version=\"1\"} 1\n"))
        let plain = MetricsText.prometheus.render([family])
        #expect(plain.contains("# TYPE build_info gauge\nbuild_info{version=\"1\"} 1\n"))
        #expect(!plain.contains("# UNIT"))
    }

    @Test("quotes, backslashes and line feeds are escaped: no value begins a line")
    func escapes() {
        let value = "a\"} 1\nfake 2\\"
        let family = MetricFamily("odd", .gauge, help: "a\nb", [.init([("x", value)], 1)])
        let text = MetricsText.openMetrics.render([family])
        #expect(text.contains(#"odd{x="a\"} 1\nfake 2\\"} 1"#))
        #expect(text.contains(#"# HELP odd a\nb"#))
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test(
        "numbers have the format's notation",
        arguments: [
            (0.0, "0"), (1.5, "1.5"), (-2, "-2"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (1e20, "1e+20"), (.nan, "NaN"),
        ]
    )
    func numbers(_ value: Double, _ text: String) {
        let family = MetricFamily("n", .gauge, help: "", [.init([], value)])
        #expect(MetricsText.openMetrics.render([family]).contains("\nn \(text)\n"))
    }

    @Test("a family without samples is omitted")
    func empty() {
        #expect(
            MetricsText.openMetrics.render([.init("none", .gauge, help: "", [])]) == "# EOF\n"
        )
    }

    @Test(
        "Accept selects the format (RFC 9110 §12.5.1)",
        arguments: [
            ([], MetricsText.prometheus), (["*/*"], .prometheus), ([""], .prometheus),
            (["text/plain"], .prometheus), (["text/plain;version=0.0.4"], .prometheus),
            (
                [
                    "application/openmetrics-text;version=1.0.0;q=0.5,"
                        + "text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
                ],
                .openMetrics
            ),
            (["application/openmetrics-text;q=0.1, text/plain;q=0.9"], .prometheus),
            (["APPLICATION/OpenMetrics-Text, text/plain;q=0.9"], .openMetrics),
            (["text/plain;q=nonsense"], .prometheus), (["text/*"], .prometheus),
            (["application/json", "text/plain"], .prometheus),
            (["application/openmetrics-text;q=0, */*"], .prometheus),
            (["*/*", "application/openmetrics-text;q=0"], .prometheus),
            (["*/*;q=0.1, text/plain;q=0.5"], .prometheus),
            (["application/*;q=0.2, text/*;q=0.1"], .openMetrics),
            (["application/json"], .prometheus), (["*/*;q=0"], .prometheus),
            // Of two weights for the same range the lesser counts.
            (
                [
                    "application/openmetrics-text, text/plain;q=0.5",
                    "application/openmetrics-text;q=0.1",
                ],
                .prometheus
            ),
            // A range with the version decides over the range without one.
            (["text/plain, text/plain;version=0.0.4;q=0.2, */*;q=0.5"], .openMetrics),
            (["application/openmetrics-text;version=0.0.1, text/plain;q=0.5"], .prometheus),
            // Prometheus 3.
            (
                [
                    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                        + "application/openmetrics-text;version=0.0.1;q=0.5,"
                        + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                        + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
                ],
                .openMetrics
            ),
        ]
    )
    func accepts(_ accept: [String], _ format: MetricsText) {
        let fields = accept.map { "Accept: \($0)\r\n" }.joined()
        let parser = RequestParser()
        Array("GET /metrics HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8).withUnsafeBufferPointer {
            #expect(parser.parse($0) == .complete)
            #expect(MetricsText(acceptedBy: parser.head) == format)
        }
    }

    @Test(
        "names are reduced to characters that both formats allow",
        arguments: [
            ("http.requests", "http_requests"), ("9lives", "_9lives"), ("", "_"), ("ä", "_"),
            ("a:b", "a:b"),
        ]
    )
    func names(_ label: String, _ name: String) {
        #expect(MetricsText.name(label) == name)
        #expect(MetricsText.labelName(label) == name.replacing(":", with: "_"))
    }
}
