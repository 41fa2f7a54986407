import Glibc
import System

/// Metrics of this process, with the names of Prometheus client libraries.
package enum ProcessMetrics {
    package static func families() -> [MetricFamily] {
        var families: [MetricFamily] = []
        func add(
            _ name: String,
            _ kind: MetricFamily.Kind,
            _ unit: String?,
            _ help: String,
            _ value: Double?
        ) {
            guard let value else { return }
            let sample = MetricFamily.Sample([], value)
            families.append(MetricFamily(name, kind, unit: unit, help: help, [sample]))
        }
        let status = Status()
        add("process_cpu_seconds", .counter, "seconds", "User and system CPU time.", cpuSeconds)
        add(
            "process_resident_memory_bytes",
            .gauge,
            "bytes",
            "Resident memory.",
            status?.residentBytes
        )
        add(
            "process_virtual_memory_bytes",
            .gauge,
            "bytes",
            "Virtual memory.",
            status?.virtualBytes
        )
        add("process_open_fds", .gauge, nil, "Open file descriptors.", openDescriptors)
        add(
            "process_max_fds",
            .gauge,
            nil,
            "The limit of open file descriptors.",
            Double(Descriptors.limit)
        )
        add("process_threads", .gauge, nil, "Threads.", status?.threads)
        add(
            "process_start_time_seconds",
            .gauge,
            "seconds",
            "Start time of the process since 1970.",
            startTime
        )
        return families
    }

    private static var cpuSeconds: Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static var openDescriptors: Double? {
        // Excludes the descriptor that lists them.
        (try? Paths.names(in: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    /// The start time, read once: the kernel derives it from a clock that is adjusted.
    private static let startTime: Double? = {
        guard let status = Status(), let text = read("/proc/stat"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }),
            let boot = Double(line.dropFirst(6))
        else { return nil }
        return boot + status.startTicks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }()

    /// The fields of `/proc/self/stat` (proc(5)).
    package struct Status {
        package let threads: Double
        package let startTicks: Double
        package let virtualBytes: Double
        package let residentBytes: Double

        init?() {
            guard let text = ProcessMetrics.read("/proc/self/stat") else { return nil }
            self.init(text)
        }

        /// Parses the file.
        ///
        /// Fields are counted from the last ")", since the command's name may contain any
        /// character.
        package init?(_ text: String) {
            guard let end = text.lastIndex(of: ")") else { return nil }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 21, let threads = Double(fields[17]),
                let ticks = Double(fields[19]), let size = Double(fields[20]),
                let pages = Double(fields[21])
            else { return nil }
            self.threads = threads
            startTicks = ticks
            virtualBytes = size
            residentBytes = pages * Double(sysconf(CInt(_SC_PAGESIZE)))
        }
    }

    private static func read(_ path: String) -> String? {
        (try? FileBytes.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}
