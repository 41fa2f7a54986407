import Foundation
import Telemetry
import Testing

@Suite("Process metrics of the system")
struct ProcessMetricsTests {
    private func value(_ name: String) throws -> Double {
        let family = try #require(ProcessMetrics.families().first { $0.name == name })
        guard case .number(let value) = family.samples[0].value else {
            Issue.record("\(name) is no number")
            return 0
        }
        return value
    }

    @Test("CPU time, memory, descriptors and start time are reported")
    func values() throws {
        #expect(try value("process_cpu_seconds") > 0)
        #expect(try value("process_resident_memory_bytes") > 1e6)
        #expect(try value("process_virtual_memory_bytes") > 1e6)
        #expect(try value("process_threads") >= 1)
        #expect(try value("process_open_fds") >= 3)
        #expect(try value("process_max_fds") >= 3)
        let start = try value("process_start_time_seconds")
        #expect(start > Date().timeIntervalSince1970 - 86_400)
        #expect(start <= Date().timeIntervalSince1970 + 2)
    }

    @Test("a command's name may contain parentheses and spaces (proc(5))")
    func names() throws {
        let fields = (3...52).map { "\($0)" }.joined(separator: " ")
        let status = try #require(ProcessMetrics.Status("1 (a) b) (c) " + fields))
        #expect(status.threads == 20)
        #expect(status.startTicks == 22)
        #expect(status.virtualBytes == 23)
        #expect(ProcessMetrics.Status("1 (a) 2 3") == nil)
        #expect(ProcessMetrics.Status("") == nil)
    }
}
