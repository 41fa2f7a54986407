// Clients call actions, and this module's users write `JSON` values.
@_exported public import JSONCodec
@_exported public import PlugHTTP
