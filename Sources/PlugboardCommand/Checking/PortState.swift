import Glibc
import HTTPServer
import Plugboard
import PlugboardClient
import System

/// The state of an address on which a server is to listen.
enum PortState: Equatable {
    /// The system chooses the port.
    case chosen
    case free
    /// A Plugboard server uses it.
    case served
    /// A TLS server with an untrusted certificate uses it.
    case untrusted
    /// Both ports of the server have this address.
    case same
    /// Another program uses it.
    case used
    case forbidden
    case unusable(String)

    private static let timeout = Duration.seconds(2)

    /// Finds the state without listening; a server on the port gets a request.
    static func find(_ address: SocketAddress, scheme: String) async -> PortState {
        if case .tcp(_, 0) = address { return .chosen }
        do {
            try address.checkIsFree()
            return .free
        } catch let error as SystemError where error.code == EADDRINUSE {
            guard case .tcp(let host, let port) = address else { return .used }
            return await server(at: "\(scheme)://\(HealthCommand.authority(of: host)):\(port)")
        } catch let error as SystemError {
            return error.code == EACCES ? .forbidden : .unusable(error.reason)
        } catch let error as AddressError {
            return .unusable(error.reason)
        } catch {
            return .unusable("\(error)")
        }
    }

    /// Recognizes a Plugboard server by its liveness probe.
    private static func server(at url: String) async -> PortState {
        var limits = SocketTransport.Limits()
        limits.connectTimeout = timeout
        limits.timeout = timeout
        do {
            let client = Client(url, transport: SocketTransport(limits: limits))
            let health: Health = try await client.get("/healthz")
            return health == Health() ? .served : .used
        } catch let error as ClientError {
            return error.kind == .untrusted ? .untrusted : .used
        } catch {
            return .used
        }
    }
}
