// A server's file plugs its actions.
@_exported public import PlugHTTP
