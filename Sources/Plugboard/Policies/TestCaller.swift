import PlugHTTP

/// The caller that a test gives to its requests in memory, in place of credentials.
///
/// Only a server in memory reads it. A server with a socket never does.
enum TestCaller {
    /// The caller of the current task's requests; nil for requests with their own credentials.
    @TaskLocal static var current: Caller?
}
