// Endpoints are actions. This module's users write `JSON` values, and statuses and fields of HTTP.
@_exported public import HTTPTypes
@_exported public import JSONCodec
@_exported public import Plug
