// Actions are what a client is for, and `JSON` is part of what this module's users write.
@_exported public import JSONCodec
@_exported public import PlugHTTP
