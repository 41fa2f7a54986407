import Settings
import Testing

@Suite("Variables that Kubernetes and Docker define for a service")
struct ServiceLinkTests {
    @Test(
        "a service's address isn't a port: the variable is ignored with a warning",
        arguments: ["tcp://10.96.14.3:80", "udp://10.96.14.3:53", "sctp://[fd00::3]:80"]
    )
    func address(value: String) throws {
        let reader = try reader(environment: ["PLUGBOARD_PORT": value])
        #expect(reader.isDefault("port"))
        try reader.check()
        let warnings = reader.warnings(besides: [])
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("PLUGBOARD_PORT is ignored: ") == true)
    }

    @Test("a second service may have another option's name")
    func otherOption() throws {
        let reader = try reader(environment: ["PLUGBOARD_METRICS_PORT": "tcp://10.96.14.4:9464"])
        #expect(reader.isDefault("metrics-port"))
        try reader.check()
    }

    @Test(
        "a service's other variables aren't mistaken for misspelt options",
        arguments: [
            "PLUGBOARD_SERVICE_HOST", "PLUGBOARD_SERVICE_PORT", "PLUGBOARD_SERVICE_PORT_HTTP",
            "PLUGBOARD_PORT_80_TCP", "PLUGBOARD_PORT_80_TCP_PROTO", "PLUGBOARD_PORT_80_TCP_PORT",
            "PLUGBOARD_PORT_80_TCP_ADDR", "PLUGBOARD_PORT_53_UDP",
        ]
    )
    func others(name: String) throws {
        let reader = try reader(environment: [name: "80"])
        try reader.check()
        #expect(reader.warnings(besides: []).isEmpty)
    }

    @Test("command line and file override a service's address")
    func precedence() throws {
        let link = ["PLUGBOARD_PORT": "tcp://10.96.14.3:80"]
        #expect(try reader(environment: link, flags: ["port": ["1"]]).place(of: "port") == "--port")
        let file = try reader(environment: link, file: #"{"port": 2}"#)
        #expect(file.place(of: "port") == "a.json: /port")
    }

    @Test(
        "other invalid ports are still errors",
        arguments: ["http://10.96.14.3:80", "10.96.14.3:80", "tcp:80", "x"]
    )
    func invalid(value: String) throws {
        #expect(try problems(environment: ["PLUGBOARD_PORT": value]).count == 1)
    }

    @Test(
        "misspelt options are still reported",
        arguments: ["PLUGBOARD_PORT_80", "PLUGBOARD_PROT"]
    )
    func misspelt(name: String) throws {
        let reader = try reader(environment: [name: "80"])
        #expect(reader.warnings(besides: []).count == 1)
    }
}
