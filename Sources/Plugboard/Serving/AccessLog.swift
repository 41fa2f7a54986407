import Glibc
public import Logging
import Telemetry

extension Server {
    /// The selection of requests that are logged, and their logger.
    public struct AccessLog: Sendable {
        /// Logs each request as a line at level `info`, with its parts as metadata.
        public var logger: Logger
        /// The sampling interval: one of so many requests is logged, and all with a status of 500
        /// or more.
        public var every: Int
        /// The buffer of lines to be written; nil if the logger writes by itself.
        private var sink: LogSink?

        /// Logs one of `every` requests.
        public init(logger: Logger = Logger(label: "plugboard.access"), every: Int = 1) {
            self.logger = logger
            self.every = every
        }

        /// Writes a line of JSON for one of `every` requests to standard output.
        ///
        /// A slow reader never blocks the server. Up to 1 MiB is buffered; further lines are
        /// dropped and counted.
        ///
        /// - Throws: the error of starting the writer thread.
        public static func jsonLines(every: Int = 1) throws -> AccessLog {
            let sink = try LogSink(STDOUT_FILENO)
            let logger = Logger(label: "plugboard.access") { JSONLogHandler(label: $0, sink: sink) }
            var log = AccessLog(logger: logger, every: every)
            log.sink = sink
            return log
        }

        /// Waits at most a second until the logged lines are written.
        func flush() { sink?.flush() }
    }
}
