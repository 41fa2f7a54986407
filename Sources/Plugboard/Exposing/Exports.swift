// Files that plug a server's actions then need only one import.
@_exported public import PlugHTTP
