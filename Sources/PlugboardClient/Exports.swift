// An app's files need only one import. Apps call actions, choose a transport, catch its errors,
// write `JSON` values, and perform behavior documents.
@_exported public import Behaviors
@_exported public import HTTPTransport
@_exported public import JSONCodec
@_exported public import PlugHTTP
