// A server's files need only one import: its actions, plugs and problems, its documents, its log.
@_exported public import Behaviors
@_exported public import Logging
@_exported public import PlugHTTP
