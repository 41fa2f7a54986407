// An app's file needs only this import: it declares modules, writes contexts and reads reports.
@_exported public import Behaviors
@_exported public import HTTPTransport
@_exported public import JSONCodec
