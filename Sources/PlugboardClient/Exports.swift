// Clients call actions, choose a transport and catch its errors, and this module's users write
// `JSON` values.
@_exported public import HTTPTransport
@_exported public import JSONCodec
@_exported public import PlugHTTP
