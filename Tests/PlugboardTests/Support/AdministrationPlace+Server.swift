import Logging
import PlugHTTP
import Plugboard
import TestDatabase

extension AdministrationPlace {
    /// A server with its tokens and plugs here: in a data folder alone, or in a database alone.
    func server(
        _ logger: Logger,
        @ActionsBuilder _ actions: () -> [ExposedAction]
    ) -> Server {
        var server = Server(logger: logger, actions: actions)
        switch kind {
        case .sqlite: server.configuration.dataFolder = folder
        case .postgresql: server.configuration.documents = .postgreSQL(url)
        }
        return server
    }
}
